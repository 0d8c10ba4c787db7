package sentinel

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// formats make the body of a webhook's request, by the receiver's kind.
var formats = map[string]func(Alert) any{
	"alertmanager": forAlertmanager,
	"slack":        func(a Alert) any { return map[string]any{"text": slackText.Replace(a.Line())} },
	"dingtalk": func(a Alert) any {
		return map[string]any{"msgtype": "text", "text": map[string]string{"content": a.Line()}}
	},
	"feishu": func(a Alert) any {
		return map[string]any{"msg_type": "text", "content": map[string]string{"text": a.Line()}}
	},
}

// slackText keeps Slack from taking what stands in a text for links and for names of all members.
// https://docs.slack.dev/messaging/formatting-message-text#escaping
var slackText = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// answers read what a chat's robot says, by the receiver's kind: status 200 comes with a message that it did not take, too.
// What is no answer of a robot's, such as that of a relay, refuses nothing.
var answers = map[string]func(body []byte) error{
	"dingtalk": func(body []byte) error {
		var a struct {
			Code int    `json:"errcode"`
			Text string `json:"errmsg"`
		}
		_ = json.Unmarshal(body, &a)
		return robotSays(a.Code, a.Text)
	},
	"feishu": func(body []byte) error {
		var a struct {
			Code int    `json:"code"`
			Text string `json:"msg"`
		}
		_ = json.Unmarshal(body, &a)
		return robotSays(a.Code, a.Text)
	},
}

// robotSays is an error unless the code is 0. It is none for good: a robot that is asked too often, or that wants a keyword, takes the
// same message later.
func robotSays(code int, text string) error {
	if code == 0 {
		return nil
	}
	return fmt.Errorf("the robot answered %d, %q", code, text)
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
			"script": a.Script, "rank": strconv.Itoa(a.Rank), "pid": strconv.Itoa(a.PID), "memory": a.Memory,
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
