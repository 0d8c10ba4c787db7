package sentinel

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"

	"github.com/torchleak/torchleak/internal/recording"
)

var signals = map[string]syscall.Signal{
	"SIGUSR1": syscall.SIGUSR1, "SIGUSR2": syscall.SIGUSR2, "SIGTERM": syscall.SIGTERM, "SIGINT": syscall.SIGINT,
}

// errRefused is an answer that will not change when the same is sent again.
var errRefused = errors.New("refused")

// deliver hands one alert to a receiver, within its time.
func (r Receiver) deliver(ctx context.Context, a Alert) error {
	ctx, cancel := context.WithTimeout(ctx, r.Timeout.Duration)
	defer cancel()
	err := r.handOver(ctx, a)
	if errors.Is(ctx.Err(), context.DeadlineExceeded) && err != nil {
		return fmt.Errorf("it took longer than its timeout of %v", r.Timeout)
	}
	return err
}

func (r Receiver) handOver(ctx context.Context, a Alert) error {
	switch r.Kind {
	case "command":
		return r.run(ctx, a)
	case "signal":
		return r.signal(a)
	}
	return r.post(ctx, a)
}

// client follows no redirection that makes a GET of the POST: whatever page that gives would pass for an alert that was taken.
var client = &http.Client{CheckRedirect: func(to *http.Request, via []*http.Request) error {
	if to.Method != via[0].Method || len(via) >= 10 {
		return http.ErrUseLastResponse
	}
	return nil
}}

// maxAnswer is how much of an answer is read, in bytes: all of a usual one, so that the connection can be used again.
const maxAnswer = 64 << 10

func (r Receiver) post(ctx context.Context, a Alert) error {
	address, message, err := r.message(a, time.Now())
	if err != nil {
		return fmt.Errorf("%w: %w", errRefused, err)
	}
	body, err := json.Marshal(message)
	if err != nil {
		return fmt.Errorf("%w: %w", errRefused, err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("%w: %w", errRefused, err)
	}
	request.Header.Set("Content-Type", "application/json")
	answer, err := client.Do(request)
	if of := (*url.Error)(nil); errors.As(err, &of) {
		return of.Err // without the address: whoever knows that of a robot may write to its chat
	}
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	said, _ := io.ReadAll(io.LimitReader(answer.Body, maxAnswer))
	switch code := answer.StatusCode; {
	case code < 300:
		if verdict := answers[r.Kind]; verdict != nil {
			return verdict(said)
		}
		return nil
	case code < 400:
		return fmt.Errorf("%w: the answer was %s; name the address that it leads to as url", errRefused, answer.Status)
	case code >= 500 || code == http.StatusTooManyRequests || code == http.StatusRequestTimeout:
		return fmt.Errorf("the answer was %s", answer.Status)
	default:
		return fmt.Errorf("%w: the answer was %s", errRefused, answer.Status)
	}
}

// run starts the command with the alert on its standard input, as JSON. Its output goes nowhere: the terminal is the
// training's. What takes too long ends with all that it has started.
func (r Receiver) run(ctx context.Context, a Alert) error {
	body, err := json.Marshal(a)
	if err != nil {
		return fmt.Errorf("%w: %w", errRefused, err)
	}
	cmd := exec.CommandContext(ctx, r.Command[0], r.Command[1:]...)
	cmd.Stdin = bytes.NewReader(body)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	state := "firing"
	if a.Resolved {
		state = "resolved"
	}
	cmd.Env = append(os.Environ(), "TORCHLEAK_ALERT="+a.Name, "TORCHLEAK_ALERT_STATE="+state, "TORCHLEAK_ALERT_PID="+strconv.Itoa(a.PID),
		"TORCHLEAK_ALERT_HOST="+a.Host, "TORCHLEAK_ALERT_SCRIPT="+a.Script, "TORCHLEAK_ALERT_RANK="+strconv.Itoa(a.Rank),
		"TORCHLEAK_ALERT_RECORDING="+a.Recording, "TORCHLEAK_ALERT_LINE="+a.Line())
	if err = cmd.Run(); errors.Is(err, syscall.E2BIG) { // no try will make it shorter
		return fmt.Errorf("%w: %w", errRefused, err)
	}
	return err
}

// signal writes the file, and tells the training. Nothing is sent when a fault ends, nor to a process that is gone.
func (r Receiver) signal(a Alert) error {
	if a.Resolved {
		return nil
	}
	if r.File != "" {
		body, err := json.MarshalIndent(a, "", "  ")
		if err != nil {
			return fmt.Errorf("%w: %w", errRefused, err)
		}
		if err := recording.Replace(r.File, 0o600, func(w io.Writer) error { _, err := w.Write(body); return err }); err != nil {
			return err
		}
	}
	if err := syscall.Kill(a.PID, signals[r.Signal]); err != nil {
		return fmt.Errorf("%w: %w", errRefused, err)
	}
	return nil
}
