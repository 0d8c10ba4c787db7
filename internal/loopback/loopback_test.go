package loopback

import "testing"

func TestNamed(t *testing.T) {
	for host, want := range map[string]bool{
		"127.0.0.1": true, "127.0.0.1:9907": true, "localhost:1": true, "LocalHost": true, "[::1]:9907": true, "::1": true, "127.8.0.1:1": true,
		"": false, ":9907": false, "node7:9907": false, "127.0.0.1.evil.example": false, "localhost.evil.example:9907": false,
		"10.0.0.1:9907": false, "0.0.0.0:9907": false, "[::]:9907": false,
	} {
		if got := Named(host); got != want {
			t.Errorf("%q: %v, want %v", host, got, want)
		}
	}
}
