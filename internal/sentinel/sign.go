package sentinel

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/url"
	"strconv"
	"time"
)

// signers put a robot's signature on a message, by the receiver's kind, each as its maker says: DingTalk wants it in the address, Feishu in
// the body. It is good for an hour, so it is made anew for each delivery.
var signers = map[string]func(secret string, now time.Time, address *url.URL, body map[string]any){
	// https://open.dingtalk.com/document/orgapp/customize-robot-security-settings
	"dingtalk": func(secret string, now time.Time, address *url.URL, _ map[string]any) {
		at := strconv.FormatInt(now.UnixMilli(), 10)
		query := address.Query()
		query.Set("timestamp", at)
		query.Set("sign", signature(secret, at+"\n"+secret))
		address.RawQuery = query.Encode()
	},
	// https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot
	"feishu": func(secret string, now time.Time, _ *url.URL, body map[string]any) {
		at := strconv.FormatInt(now.Unix(), 10)
		body["timestamp"], body["sign"] = at, signature(at+"\n"+secret, "")
	},
}

// signature is HMAC-SHA256 of a text, in base64.
func signature(key, text string) string {
	h := hmac.New(sha256.New, []byte(key))
	fmt.Fprint(h, text)
	return base64.StdEncoding.EncodeToString(h.Sum(nil))
}

// message is what is sent for an alert, and where to.
func (r Receiver) message(a Alert, now time.Time) (address string, body any, err error) {
	body = formats[r.Kind](a.by(now))
	fields, ok := body.(map[string]any)
	if r.Secret == "" || !ok {
		return r.URL, body, nil
	}
	u, err := url.Parse(r.URL)
	if err != nil {
		return "", nil, err
	}
	signers[r.Kind](r.Secret, now, u, fields)
	return u.String(), body, nil
}
