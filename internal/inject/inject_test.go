package inject

import (
	"slices"
	"testing"
)

func TestEnviron(t *testing.T) {
	for _, c := range []struct {
		name      string
		env, want []string
	}{
		{"nothing set", []string{"HOME=/h"}, []string{"HOME=/h", "PYTHONPATH=/p", "TORCHLEAK_DIR=/r"}},
		{"own path stays behind", []string{"PYTHONPATH=/a:/b"}, []string{"PYTHONPATH=/p:/a:/b", "TORCHLEAK_DIR=/r"}},
		{"empty path adds no working directory", []string{"PYTHONPATH="}, []string{"PYTHONPATH=/p", "TORCHLEAK_DIR=/r"}},
		{"inside another run", []string{"TORCHLEAK_DIR=/old"}, []string{"PYTHONPATH=/p", "TORCHLEAK_DIR=/r"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Environ(c.env, "/p", "/r"); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
