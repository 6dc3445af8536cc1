# pip install eth-account
import base64, json, os, secrets, time, urllib.error, urllib.request
from eth_account import Account

key = os.environ["BUYER_KEY"]
body = json.dumps({"amount": 1250, "due_date": "2026-09-01"}).encode()

def post(headers):
    url = "https://calc.example/v1/late-fee-notice"
    request = urllib.request.Request(url, body, {"Content-Type": "application/json", **headers})
    try:
        return urllib.request.urlopen(request)
    except urllib.error.HTTPError as problem:
        return problem

accepted = json.load(post({}))["accepts"][0]
domain = {**accepted["extra"], "chainId": int(accepted["network"].split(":")[1]), "verifyingContract": accepted["asset"]}
fields = {"from": "address", "to": "address", "value": "uint256", "validAfter": "uint256", "validBefore": "uint256", "nonce": "bytes32"}
types = {"TransferWithAuthorization": [{"name": name, "type": type} for name, type in fields.items()]}
message = {"from": Account.from_key(key).address, "to": accepted["payTo"], "value": int(accepted["amount"]), "validAfter": 0,
           "validBefore": int(time.time()) + accepted["maxTimeoutSeconds"], "nonce": secrets.token_bytes(32)}
signature = "0x" + bytes(Account.sign_typed_data(key, domain, types, message).signature).hex()
authorization = {**{name: str(value) for name, value in message.items()}, "nonce": "0x" + message["nonce"].hex()}
payment = {"x402Version": 2, "accepted": accepted, "payload": {"signature": signature, "authorization": authorization}}
print(post({"PAYMENT-SIGNATURE": base64.b64encode(json.dumps(payment).encode()).decode()}).read().decode())
