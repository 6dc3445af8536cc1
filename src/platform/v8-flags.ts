import { setFlagsFromString } from 'node:v8';

// V8 learns at which places of a program objects live long, and makes the next ones in its old space. One of a request
// keeps there all that it points at until the next collection of the whole heap: 26 KB of each refused quote, which
// took half as long again. Read whenever V8 decides, so it holds from here on.
setFlagsFromString('--no-allocation-site-pretenuring');
