// Package loopback says who may ask what is served on loopback. A page in a browser on this machine can have a name of its own
// lead here (DNS rebinding) and read the answer as if it came from its own server: the Host header gives it away.
package loopback

import (
	"net"
	"net/netip"
	"strings"
)

// Named reports whether a Host header names this machine itself: by localhost or an address of loopback, with any port, for
// that may be one that is forwarded.
func Named(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.Trim(host, "[]")
	address, err := netip.ParseAddr(host)
	return err == nil && address.IsLoopback() || strings.EqualFold(host, "localhost")
}
