package phrase

import "maps"

// What profiles say stands here in all languages.
func init() {
	maps.Copy(english, profileEnglish)
	maps.Copy(chinese, profileChinese)
	maps.Copy(chineseTexts, profileNotes)
}

var profileEnglish = map[Key]string{
	"profile.head":       "torchleak profile: steps {first} to {last}",
	"profile.rank":       "torchleak profile: steps {first} to {last}, rank {rank} of {world}",
	"profile.other":      "rank {rank}  {memory}  peak {size}",
	"profile.operators":  "{memory}  memory of tensors, as operators return them",
	"profile.history":    "{memory}  memory of blocks, by the allocator's history",
	"profile.peak":       "  peak   {size}, in step {step} at {operator}, {line}",
	"profile.before":     "  peak   {size}, before the first operator",
	"profile.steps":      "  steps  peaks of {sizes}",
	"profile.atpeak":     "At the peak",
	"profile.byoperator": "By operator",
	"profile.byline":     "By line",
	"profile.bymodule":   "By module",
	"profile.outside":    "outside of modules",
	"profile.older":      "before the profile",
	"profile.noline":     "no line",
	"profile.backward":   "{what} in backward",
	"profile.backwardof": "{what} in backward of {operator}",
	"profile.removable":  "Removable, perhaps: without one of these the peak would be lower by",
	"profile.nothing":    "Nothing was found that the peak would be lower without.",
	"profile.temporary":  "a temporary, there for {operators}",
	"profile.unused":     "held until backward, which does not use it",
	"profile.kept":       "made in an earlier step and not used in this one",
	"profile.operator":   "1 operator",
	"profile.manyops":    "{count} operators",
	"category.buffer":    "buffer",
	"category.other":     "other",
}

var profileChinese = map[Key]string{
	"profile.head":       "torchleak profile：第 {first} 至 {last} 步",
	"profile.rank":       "torchleak profile：第 {first} 至 {last} 步，rank {rank}，共 {world} 个",
	"profile.other":      "rank {rank}  {memory}  峰值 {size}",
	"profile.operators":  "{memory}  张量内存，按算子的返回值",
	"profile.history":    "{memory}  内存块，按分配器的历史记录",
	"profile.peak":       "  峰值   {size}，第 {step} 步，{operator}，{line}",
	"profile.before":     "  峰值   {size}，在第一个算子之前",
	"profile.steps":      "  各步   峰值 {sizes}",
	"profile.atpeak":     "峰值时",
	"profile.byoperator": "按算子",
	"profile.byline":     "按代码行",
	"profile.bymodule":   "按模块",
	"profile.outside":    "模块之外",
	"profile.older":      "分析开始之前",
	"profile.noline":     "无代码行",
	"profile.backward":   "{what}（反向）",
	"profile.backwardof": "{what}（{operator} 的反向）",
	"profile.removable":  "或可去除：若没有其中一项，峰值会降低",
	"profile.nothing":    "没有发现去除后能降低峰值的内存。",
	"profile.temporary":  "临时内存，存在 {operators}",
	"profile.unused":     "一直保留到反向，而反向并不使用它",
	"profile.kept":       "在之前的步中产生，本步没有使用",
	"profile.operator":   "1 个算子",
	"profile.manyops":    "{count} 个算子",
	"category.buffer":    "缓冲区",
	"category.other":     "其他",
}

// profileNotes are the probe's notes.
var profileNotes = map[string]string{
	"this torch has no allocation history that can be read: what operators allocate inside is not seen": "此版本的 torch 没有可读取的分配历史：看不到算子内部分配的内存",
	"the program itself uses the allocation history: what operators allocate inside is not seen":        "程序自己在使用分配历史：看不到算子内部分配的内存",
	"what compiled code allocates inside is not seen on the host, and only as a whole on devices":       "编译后的代码内部分配的内存在主机上看不到，在设备上只能整体看到",
}
