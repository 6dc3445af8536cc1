// A small host of MCP Apps on the official bridge, which shows one view in a frame without permissions.
import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';

/** Shows the answer of a tool in its view. `opened` collects the addresses that the view asks to open. */
window.showView = async ({ html, input, result, theme, opensLinks }) => {
  const frame = document.querySelector('iframe');
  window.opened = [];
  const bridge = new AppBridge(
    null,
    { name: 'test-host', version: '1.0.0' },
    { openLinks: {} },
    { hostContext: { theme, displayMode: 'inline' } },
  );
  bridge.onopenlink = async ({ url }) => {
    window.opened.push(url);
    return opensLinks ? {} : { isError: true };
  };
  bridge.onsizechange = ({ height }) => {
    frame.style.height = `${height}px`;
  };
  bridge.oninitialized = async () => {
    await bridge.sendToolInput({ arguments: input });
    await bridge.sendToolResult(result);
  };
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
  window.bridge = bridge;
  frame.srcdoc = html;
};
