package sentinel

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"
)

// formats make the body of a webhook's request, by the receiver's kind.
var formats = map[string]func(Alert) any{
	"alertmanager": forAlertmanager,
	"slack":        func(a Alert) any { return map[string]any{"text": a.Line()} },
	"dingtalk": func(a Alert) any {
		return map[string]any{"msgtype": "text", "text": map[string]string{"content": a.Line()}}
	},
	"feishu": func(a Alert) any {
		return map[string]any{"msg_type": "text", "content": map[string]string{"text": a.Line()}}
	},
}

// resolveAfter is when Alertmanager takes an alert for ended that nobody has repeated: torchleak may have been killed.
const resolveAfter = 5 * time.Minute

// forAlertmanager is the body of POST /api/v2/alerts. What tells one fault from another is in the labels; they must not
// change while it lasts.
func forAlertmanager(a Alert) any {
	type posted struct {
		Labels      map[string]string `json:"labels"`
		Annotations map[string]string `json:"annotations"`
		StartsAt    time.Time         `json:"startsAt"`
		EndsAt      *time.Time        `json:"endsAt,omitempty"`
	}
	p := posted{
		Labels: map[string]string{
			"alertname": a.Name, "severity": a.Severity, "instance": a.Host, "recording": a.Recording,
			"rank": strconv.Itoa(a.Rank), "pid": strconv.Itoa(a.PID), "memory": a.Memory,
		},
		Annotations: map[string]string{"summary": a.Summary, "verdict": string(a.Verdict)},
		StartsAt:    a.StartsAt, EndsAt: a.EndsAt,
	}
	if f := a.Finding; f != nil {
		if b, err := json.Marshal(f); err == nil {
			p.Annotations["finding"] = string(b)
		}
		if f.Location != nil {
			p.Annotations["location"] = fmt.Sprintf("%s:%d", f.Location.File, f.Location.Line)
		}
	}
	return []posted{p}
}
