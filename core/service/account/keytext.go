package account

// The text of an API key is mw_live_, then 32 random bytes, then their CRC-32, both in base62. The checksum lets a
// client, or a scanner for leaked secrets, detect a typo without a database. Widths are fixed: 43 digits encode 256
// bits (62^43 > 2^256), 6 digits encode 32 (62^6 > 2^32).

import (
	"fmt"
	"hash/crc32"
	"io"
	"math/big"
	"strings"

	"millwright.dev/millwright/core/usertext"
)

const (
	keyRandomBytes = 32
	keyDigits      = 43
	keySumDigits   = 6
	keyPrefixShown = 16 // characters kept for display
	keyLength      = len(usertext.KeyScheme) + keyDigits + keySumDigits
)

func newKeyText(random io.Reader) (string, error) {
	var secret [keyRandomBytes]byte
	if _, err := io.ReadFull(random, secret[:]); err != nil {
		return "", fmt.Errorf("read randomness for a key: %w", err)
	}
	body := usertext.KeyScheme + toBase62(new(big.Int).SetBytes(secret[:]), keyDigits)
	return body + keySum(body), nil
}

// keySum is the checksum of everything before it.
func keySum(body string) string {
	return toBase62(new(big.Int).SetUint64(uint64(crc32.ChecksumIEEE([]byte(body)))), keySumDigits)
}

// wellFormedKey reports whether a text has the format of a key and a correct checksum.
func wellFormedKey(text string) bool {
	if len(text) != keyLength || !strings.HasPrefix(text, usertext.KeyScheme) {
		return false
	}
	body := text[:keyLength-keySumDigits]
	for _, c := range []byte(body[len(usertext.KeyScheme):]) {
		if strings.IndexByte(usertext.Base62, c) < 0 {
			return false
		}
	}
	return keySum(body) == text[len(body):]
}

// toBase62 writes n with leading zeros, most significant digit first. It consumes n.
func toBase62(n *big.Int, width int) string {
	digits := make([]byte, width)
	base, digit := big.NewInt(int64(len(usertext.Base62))), new(big.Int)
	for i := width - 1; i >= 0; i-- {
		n.DivMod(n, base, digit)
		digits[i] = usertext.Base62[digit.Int64()]
	}
	return string(digits)
}
