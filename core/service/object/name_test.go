package object_test

import (
	"strings"
	"testing"

	"millwright.dev/millwright/core/service/object"
)

func TestNamesOfObjects(t *testing.T) {
	for _, c := range []struct {
		name, bucket, key string
		valid             bool
	}{
		{"plain", "bucket", "a/b.c_d-e", true},
		{"shortest bucket", "abc", "k", true},
		{"longest", strings.Repeat("b", 63), strings.Repeat("k", 255) + "/" + strings.Repeat("k", 255), true},
		{"no bucket", "", "k", false},
		{"short bucket", "ab", "k", false},
		{"long bucket", strings.Repeat("b", 64), "k", false},
		{"dots in a bucket", "a.b.c", "k", false},
		{"upper case", "Bucket", "k", false},
		{"hyphen first", "-bucket", "k", false},
		{"hyphen last", "bucket-", "k", false},
		{"no key", "bucket", "", false},
		{"empty segment", "bucket", "a//b", false},
		{"slash first", "bucket", "/a", false},
		{"slash last", "bucket", "a/", false},
		{"up", "bucket", "a/../b", false},
		{"here", "bucket", "./a", false},
		{"space", "bucket", "a b", false},
		{"percent", "bucket", "a%2fb", false},
		{"long segment", "bucket", strings.Repeat("k", 256), false},
		{"long key", "bucket", strings.Repeat("k/", 512) + "k", false},
	} {
		err := object.Ref{Bucket: c.bucket, Key: c.key}.Validate()
		if (err == nil) != c.valid {
			t.Errorf("%s: Validate = %v, want valid %v", c.name, err, c.valid)
		}
	}
}
