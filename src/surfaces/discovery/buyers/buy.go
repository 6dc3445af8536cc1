// go mod init buyer && go get github.com/ethereum/go-ethereum
package main

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// The buyer: asks, signs, and asks again with the payment.
func main() {
	var challenge struct{ Accepts []json.RawMessage }
	json.Unmarshal(post(""), &challenge)
	fmt.Println(string(post(sign(challenge.Accepts[0]))))
}

func post(payment string) []byte {
	body := bytes.NewBufferString(`{"amount":1250,"due_date":"2026-09-01"}`)
	request, _ := http.NewRequest("POST", "https://calc.example/v1/late-fee-notice", body)
	request.Header.Set("Content-Type", "application/json")
	if payment != "" {
		request.Header.Set("PAYMENT-SIGNATURE", payment)
	}
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	text, _ := io.ReadAll(reply.Body)
	return text
}

// The signer: a PAYMENT-SIGNATURE header for one of accepts.
func sign(accepted json.RawMessage) string {
	var a struct {
		Network, Asset, PayTo, Amount string
		MaxTimeoutSeconds             int64
		Extra                         struct{ Name, Version string }
	}
	json.Unmarshal(accepted, &a)
	key, err := crypto.HexToECDSA(strings.TrimPrefix(os.Getenv("BUYER_KEY"), "0x"))
	if err != nil {
		panic(err)
	}
	from := crypto.PubkeyToAddress(key.PublicKey).Hex()
	validBefore := fmt.Sprint(time.Now().Unix() + a.MaxTimeoutSeconds)
	nonce := make([]byte, 32)
	rand.Read(nonce)
	domain := crypto.Keccak256(hash("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
		hash(a.Extra.Name), hash(a.Extra.Version), word(strings.Split(a.Network, ":")[1]), address(a.Asset))
	message := crypto.Keccak256(hash("TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"),
		address(from), address(a.PayTo), word(a.Amount), word("0"), word(validBefore), nonce)
	signature, _ := crypto.Sign(crypto.Keccak256([]byte{0x19, 1}, domain, message), key)
	signature[64] += 27
	payment, _ := json.Marshal(map[string]any{"x402Version": 2, "accepted": accepted, "payload": map[string]any{
		"signature": fmt.Sprintf("0x%x", signature),
		"authorization": map[string]string{"from": from, "to": a.PayTo, "value": a.Amount,
			"validAfter": "0", "validBefore": validBefore, "nonce": fmt.Sprintf("0x%x", nonce)}}})
	return base64.StdEncoding.EncodeToString(payment)
}

func word(number string) []byte {
	n, _ := new(big.Int).SetString(number, 10)
	return common.LeftPadBytes(n.Bytes(), 32)
}
func address(hex string) []byte { return common.LeftPadBytes(common.FromHex(hex), 32) }
func hash(text string) []byte   { return crypto.Keccak256([]byte(text)) }
