package backendtest

import (
	"testing"

	"github.com/torchleak/torchleak/internal/backend/backends"
)

func TestBackends(t *testing.T) {
	for _, b := range backends.All {
		t.Run(b.Name, func(t *testing.T) { Run(t, b) })
	}
}
