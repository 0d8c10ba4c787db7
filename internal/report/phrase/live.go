package phrase

import "maps"

// What a live page says of itself stands here in all languages.
func init() {
	maps.Copy(english, liveEnglish)
	maps.Copy(chinese, liveChinese)
}

var liveEnglish = map[Key]string{
	"page.live":      "live",
	"page.liveended": "ended",
	"page.livegone":  "the recording was removed",
	"page.livelost":  "no connection: torchleak ui has ended",
}

var liveChinese = map[Key]string{
	"page.live":      "实时",
	"page.liveended": "已结束",
	"page.livegone":  "记录已被删除",
	"page.livelost":  "连接中断：torchleak ui 已结束",
}
