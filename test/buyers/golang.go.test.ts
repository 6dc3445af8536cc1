import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'vitest';
import { expectNotice, publishedPrograms, readersFolder, removed, SIGNER, sharedShop } from './bench.ts';

const shop = sharedShop();

const COMMON = `package common
import ("encoding/hex"; "strings")
type Address string
func (a Address) Hex() string { return string(a) }
func FromHex(text string) []byte { bytes, _ := hex.DecodeString(strings.TrimPrefix(text, "0x")); return bytes }
func LeftPadBytes(slice []byte, l int) []byte {
	padded := make([]byte, l)
	copy(padded[l-len(slice):], slice)
	return padded
}
`;

/** The functions that the program calls in go-ethereum's crypto, whose modules are not available here. */
const CRYPTO = `package crypto
import ("bytes"; "crypto/ecdsa"; "fmt"; "math/big"; "os/exec"; "strings"; "github.com/ethereum/go-ethereum/common")
func ask(words ...string) string {
	said, err := exec.Command("node", append([]string{"signer.mjs"}, words...)...).Output()
	if err != nil { panic(err) }
	return strings.TrimSpace(string(said))
}
func HexToECDSA(text string) (*ecdsa.PrivateKey, error) {
	return &ecdsa.PrivateKey{D: new(big.Int).SetBytes(common.FromHex(text))}, nil
}
func PubkeyToAddress(key ecdsa.PublicKey) common.Address { return common.Address(ask("address")) }
func Keccak256(data ...[]byte) []byte {
	return common.FromHex(ask("keccak", fmt.Sprintf("0x%x", bytes.Join(data, nil))))
}
func Sign(digest []byte, key *ecdsa.PrivateKey) ([]byte, error) {
	signature := common.FromHex(ask("sign", fmt.Sprintf("0x%x", digest)))
	signature[64] -= 27
	return signature, nil
}
`;

it('the program in Go buys the notice, with a stand-in for go-ethereum', async () => {
  const { 'buy.go': program = '' } = await publishedPrograms(shop());
  const folder = readersFolder({ 'buy.go': program, 'signer.mjs': SIGNER });
  try {
    for (const [name, source] of Object.entries({ common: COMMON, crypto: CRYPTO })) {
      const home = join(folder, 'go/src/github.com/ethereum/go-ethereum', name);
      mkdirSync(home, { recursive: true });
      writeFileSync(join(home, `${name}.go`), source);
    }
    const env = { GO111MODULE: 'off', GOPATH: join(folder, 'go'), GOCACHE: join(folder, 'cache') };
    await expectNotice(shop(), {
      command: process.env.GO_PATH ?? 'go',
      args: ['run', 'buy.go'],
      folder,
      env,
    });
  } finally {
    removed(folder);
  }
}, 180_000);
