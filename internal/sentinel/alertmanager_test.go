package sentinel

import (
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/torchleak/torchleak/internal/dev/engine"
)

// A real Alertmanager hands on what the sentinel tells it, and takes it back; alerts wait until it is there.
func TestAlertmanager(t *testing.T) {
	program := engine.Need(t, "prometheus-alertmanager", "prometheus-alertmanager")
	p := &post{}
	server := httptest.NewServer(p)
	defer server.Close()
	dir := t.TempDir()
	config := filepath.Join(dir, "alertmanager.yml")
	text := fmt.Sprintf("route: {receiver: test, group_wait: 0s, group_interval: 1s}\nreceivers: [{name: test, webhook_configs: [{url: %q}]}]\n", server.URL)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	manager, err := engine.Alertmanager(program, config, dir)
	if err != nil {
		t.Fatal(err)
	}
	defer manager.Kill()
	office, err := Open([]Receiver{{Name: "am", Kind: "alertmanager", URL: manager.URL("/api/v2/alerts"), Timeout: Duration{10 * time.Second}}},
		filepath.Join(dir, "spool"), func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	defer office.Close()
	now := time.Now()
	firing := change(false)
	firing.Alert.StartsAt = now.Add(time.Hour) // our clock was set back since
	send(office, firing, now)                  // before there is an Alertmanager

	if err := manager.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	told := func(status string) bool {
		return slices.ContainsFunc(p.got(), func(b string) bool {
			return strings.Contains(b, `"status":"`+status+`"`) && strings.Contains(b, `"alertname":"leak"`) && strings.Contains(b, "TL101")
		})
	}
	await(t, "told of the leak", func() bool { return told("firing") })
	resolved := firing
	end := time.Now()
	resolved.Alert.Resolved, resolved.Alert.EndsAt = true, &end
	send(office, resolved, end)
	await(t, "told of its end", func() bool { return told("resolved") })
}
