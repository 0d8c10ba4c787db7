package sentinel

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// What a receiver did not take is not passed for delivered.
func TestNotTaken(t *testing.T) {
	asked := make(chan string, 10)
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(_ http.ResponseWriter, r *http.Request) { asked <- r.Method })
	mux.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/", http.StatusMovedPermanently) })
	mux.HandleFunc("/kept", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/", http.StatusTemporaryRedirect) })
	mux.HandleFunc("/round", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/round", http.StatusTemporaryRedirect)
	})
	mux.HandleFunc("/says/{body}", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.PathValue("body")) })
	server := httptest.NewServer(mux)
	defer server.Close()
	for _, c := range []struct {
		kind, path, want string // want: of the error, empty for none
		refused          bool
	}{
		{"slack", "/kept", "", false},
		{"slack", "/moved", "301 Moved Permanently; name the address", true},
		{"slack", "/round", "307 Temporary Redirect", true},
		{"slack", `/says/{"errcode":1}`, "", false},
		{"dingtalk", `/says/{"errcode":0,"errmsg":"ok"}`, "", false},
		{"dingtalk", `/says/{"errcode":310000,"errmsg":"keywords not in content"}`, `310000, "keywords not in content"`, false},
		{"feishu", `/says/{"StatusCode":0,"StatusMessage":"success","code":0}`, "", false},
		{"feishu", `/says/{"code":19021,"msg":"sign match fail"}`, `19021, "sign match fail"`, false},
		{"feishu", "/says/taken", "", false},
	} {
		r := Receiver{Kind: c.kind, URL: server.URL + c.path, Timeout: Duration{30 * time.Second}}
		err := r.deliver(t.Context(), change(false).Alert)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) || errors.Is(err, errRefused) != c.refused {
			t.Errorf("%s %s: %v", c.kind, c.path, err)
		}
	}
	if close(asked); len(asked) != 1 || <-asked != http.MethodPost {
		t.Error("a redirection is followed by the same method, or not at all")
	}
}

// A command that takes too long ends with what it has started.
func TestCommandHangs(t *testing.T) {
	note := filepath.Join(t.TempDir(), "child")
	r := Receiver{Kind: "command", Command: []string{"/bin/sh", "-c", "sleep 600 & echo $! >$0; wait", note}, Timeout: Duration{3 * time.Second}}
	err := r.deliver(t.Context(), change(false).Alert)
	if err == nil || !strings.Contains(err.Error(), "timeout of 3s") {
		t.Errorf("%v", err)
	}
	b, err := os.ReadFile(note)
	if err != nil {
		t.Fatal(err)
	}
	child, err := strconv.Atoi(strings.TrimSpace(string(b)))
	if err != nil {
		t.Fatal(err)
	}
	await(t, "the end of what the command started", func() bool {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", child))
		return errors.Is(syscall.Kill(child, 0), syscall.ESRCH) || err == nil && strings.Contains(string(stat), ") Z ")
	})
}

// An alert that is too long for a command's environment is given up: tried again it would be as long, and all others wait behind it.
func TestCommandIsToldTooMuch(t *testing.T) {
	r := Receiver{Kind: "command", Command: []string{"true"}, Timeout: Duration{30 * time.Second}}
	a := change(false).Alert
	a.Recording = "/" + strings.Repeat("a", 1<<20)
	if err := r.deliver(t.Context(), a); !errors.Is(err, errRefused) || !errors.Is(err, syscall.E2BIG) {
		t.Errorf("%.200v", err)
	}
}

// A robot that asks for signatures gets them as its maker says; those wanted here are of Python's hmac and base64.
func TestSigned(t *testing.T) {
	now := time.UnixMilli(1599360473123)
	ding := Receiver{Kind: "dingtalk", URL: "https://x/robot/send?access_token=a", Secret: "demo"}
	address, _, err := ding.message(change(false).Alert, now)
	if want := "https://x/robot/send?access_token=a&sign=0J6xGKLhx%2BjIpP1BwsRs0opst0w681fQH%2BhtOt7t%2B3Q%3D&timestamp=1599360473123"; err != nil || address != want {
		t.Errorf("%s, want %s; %v", address, want, err)
	}
	feishu := Receiver{Kind: "feishu", URL: "https://x/hook/a", Secret: "demo"}
	address, body, err := feishu.message(change(false).Alert, now)
	fields, _ := body.(map[string]any)
	if err != nil || address != feishu.URL || fields["timestamp"] != "1599360473" || fields["sign"] != "l1N0gAcBjdwBvGm1xMjOF0XSyaLRpR7tuO5dHfhAYc8=" || fields["msg_type"] != "text" {
		t.Errorf("%s %v %v", address, body, err)
	}
}

// The address of a robot is as good as a password: it is not said.
func TestAddressIsNotSaid(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	defer server.Close()
	r := Receiver{Kind: "dingtalk", URL: server.URL + "/send?access_token=hidden", Timeout: Duration{30 * time.Second}}
	if err := r.deliver(t.Context(), change(false).Alert); err == nil || strings.Contains(err.Error(), "hidden") {
		t.Errorf("%v", err)
	}
}
