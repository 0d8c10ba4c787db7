package phrase

import (
	"regexp"
	"strings"
	"sync"
)

// What a rule says of a finding of its own is put together of figures, names and words; in Chinese it is said with the same ones.

// fact is a kind of thing that is filled in: the form by which it is known, and how it is said.
type fact struct {
	form string
	say  func(string) string
}

var facts = map[string]fact{
	"holder":   {"`[^`]*`(?: \\(.+?\\))?|something out of Python's sight|a hook table", saidBy(map[string]string{"something out of Python's sight": "某个 Python 看不到的对象", "a hook table": "钩子表"})},
	"code":     {"`[^`]*`|The training|This|this line|A trace|A debugging tool", saidBy(map[string]string{"The training": "训练", "This": "该语句", "this line": "这一行", "A trace": "追踪", "A debugging tool": "某个调试工具"})},
	"any":      {`.+?`, func(s string) string { return s }},
	"every":    {`in every step|every [\d,]+ steps`, chineseEvery},
	"tensor":   {`an? .+?`, chineseTensor},
	"survival": {`[\d.]+[^:;]*? (?:stayed alive over the [\d,]+ steps watched|stay alive|waited for the collector when last seen)|memory stays`, chineseSurvival},
	"cost":     {`(?: \([^()]+ per step of [^()]+\))?`, chineseCost},
}

var filled = regexp.MustCompile(`\{[\w#]+\}`)

// chineseWhys are the sentences of the rules. {name} stands for a fact of that kind, in the same order in both languages unless it is
// numbered in the Chinese one.
var chineseWhys = map[string]string{
	"{holder} gets {tensor} with its graph ({any}) {every}: {survival}{cost}.":                                                                                                  "{holder} {every}得到{tensor}，连同其计算图（{any}）：{survival}{cost}",
	"{holder} gets {tensor} from the forward {every} and gives none back: {survival}{cost}.":                                                                                    "{holder} {every}从前向得到{tensor}，从不归还：{survival}{cost}",
	"{holder} gets {tensor} {every} and gives none back: {survival}{cost}.":                                                                                                     "{holder} {every}得到{tensor}，从不归还：{survival}{cost}",
	"{holder} gets another copy of model or optimizer tensors {every} and keeps all of them: {survival}{cost}.":                                                                 "{holder} {every}得到模型或优化器张量的又一份副本并全部保留：{survival}{cost}",
	"{holder} gets views of larger tensors {every}: {any} of tensor pin {any} of storage; {survival}{cost}.":                                                                    "{holder} {every}得到更大张量的视图：{any} 的张量使 {any} 的存储无法释放；{survival}{cost}",
	"{holder} gets views of larger tensors {every}; {survival}{cost}.":                                                                                                          "{holder} {every}得到更大张量的视图；{survival}{cost}",
	"{holder} gets a new entry {every} and has no bound: {survival}{cost}.":                                                                                                     "{holder} {every}得到一个新条目，没有上限：{survival}{cost}",
	"{holder} gets new entries of type {any} {every} and none is taken out: {survival}{cost}.":                                                                                  "{holder} {every}得到类型为 {any} 的新条目，从不取出：{survival}{cost}",
	"{holder} gets new entries {every} and none is taken out: {survival}{cost}.":                                                                                                "{holder} {every}得到新条目，从不取出：{survival}{cost}",
	"{holder} is made longer {every} and never shorter: {survival}{cost}.":                                                                                                      "{holder} {every}变长，从不变短：{survival}{cost}",
	"{holder} is made longer {every}: {survival}{cost}.":                                                                                                                        "{holder} {every}变长：{survival}{cost}",
	"{holder} is computed from its own value of the step before and keeps that history: {survival}{cost}.":                                                                      "{holder} 由自己上一步的值算出，并保留全部历史：{survival}{cost}",
	"{holder} grows while the training runs: {survival}{cost}.":                                                                                                                 "{holder} 在训练期间不断增长：{survival}{cost}",
	"{holder} is a sum or average built from tensors with a graph, so its own graph contains that of every step: {survival}{cost}.":                                             "{holder} 是由带计算图的张量得出的总和或平均值，因此它的计算图包含每一步的计算图：{survival}{cost}",
	"{holder} keeps caught exceptions, whose tracebacks refer to the frames they went through and so to all local variables there: {survival}{cost}.":                           "{holder} 保留了捕获的异常，其 traceback 引用途经的栈帧及其中的全部局部变量：{survival}{cost}",
	"The model runs here with gradients on and no backward follows, so each forward saves its activations for nothing; {holder} keeps a result of each: {survival}{cost}.":      "模型在此处带梯度运行，而之后没有反向传播，每次前向都白白保存激活值；{holder} 保留每次的结果：{survival}{cost}",
	"Casts of weights pile up in autocast's cache, which is emptied only when the outermost region ends: {survival}{cost}.":                                                     "权重的转换副本堆积在 autocast 的缓存中，而缓存只在最外层区域结束时清空：{survival}{cost}",
	"A custom Function stores a tensor on `ctx` as an attribute, which ties output and graph node in a circle ({any}): {survival}{cost}.":                                       "自定义 Function 把张量存为 `ctx` 的属性，使输出与计算图节点形成循环（{any}）：{survival}{cost}",
	"A custom Function stores a tensor on `ctx` as an attribute, which ties output and graph node in a circle: {survival}{cost}.":                                               "自定义 Function 把张量存为 `ctx` 的属性，使输出与计算图节点形成循环：{survival}{cost}",
	"{code} stays on, or open, during the training, and keeps what it records{cost}: {survival}.":                                                                               "{code} 在训练期间一直开启，并保留所记录的内容{cost}：{survival}",
	"{code} stays on, or open, during the training, and keeps what it records{cost}.":                                                                                           "{code} 在训练期间一直开启，并保留所记录的内容{cost}",
	"{code} leaves gradients with a graph of their own in `.grad`: parameter → `.grad` → graph → parameter is a circle through C++: {survival}{cost}.":                          "{code} 在 `.grad` 中留下带计算图的梯度：参数 → `.grad` → 计算图 → 参数是一个经过 C++ 的循环：{survival}{cost}",
	"{code} registers a hook {every} and drops the handle, so {holder} only grows: {survival}{cost}.":                                                                           "{code} {every}注册一个钩子并丢弃句柄，因此 {holder} 只增不减：{survival}{cost}",
	"{code} makes a new process group {every}, and each one sets up a communicator of its own{cost}.":                                                                           "{code} {every}创建一个新的进程组，每个都会建立自己的通信器{cost}",
	"{code} leaves the saved activations in the graph, and {holder} refers to graphs of earlier steps: {survival}{cost}.":                                                       "{code} 把已保存的激活值留在计算图中，而 {holder} 引用以往各步的计算图：{survival}{cost}",
	"{code} runs {every}{cost}, and what a trace registers in the process is not freed with its Python object.":                                                                 "{code} {every}运行{cost}，而追踪在进程中登记的内容不会随其 Python 对象一起释放",
	"{code} hides all objects that are there from the collector, in every step: circles among them are never freed{cost}.":                                                      "{code} 每步都使现有的所有对象不再被垃圾回收查看：其中的循环引用永远不会被释放{cost}",
	"Objects that refer to each other ({any}) hold tensors which nothing else refers to: {survival}{cost}.":                                                                     "相互引用的对象（{any}）持有别处都不引用的张量：{survival}{cost}",
	"Objects that refer to each other hold tensors which nothing else refers to: {survival}{cost}.":                                                                             "相互引用的对象持有别处都不引用的张量：{survival}{cost}",
	"Reserved memory of {any} grows when a request is larger than any before, while allocated memory is flat.":                                                                  "每当出现比以往更大的请求，{any} 的保留内存就增加，而已分配内存保持不变",
	"Memory of {any} is free in pieces too small for the requests, so the allocator reserves more while allocated memory is flat.":                                              "{any} 的空闲内存被切成过小的块，无法满足请求，因此分配器只能再保留更多，而已分配内存保持不变",
	"Memory of {any} that the driver reports as used grows beyond what PyTorch has reserved, by {any} per step, while allocated memory is flat.":                                "驱动报告的 {any} 已用内存不断超出 PyTorch 保留的部分，每步 {any}，而已分配内存保持不变",
	"Memory of {any} that the driver reports as used grows beyond what PyTorch has reserved, while allocated memory is flat.":                                                   "驱动报告的 {any} 已用内存不断超出 PyTorch 保留的部分，而已分配内存保持不变",
	"Nothing grows: the peak of a single step comes close to its limit of {any} of {any}.":                                                                                      "没有增长：单独一步的峰值就接近 {any#2} 的上限 {any#1}",
	"Nothing grows: the peak of a single step comes close to its limit of {any}.":                                                                                               "没有增长：单独一步的峰值就接近 {any} 的上限",
	"{any} memory grows by {any} per step, window after window, and no Python object was found that holds it.":                                                                  "{any} 内存每步增长 {any}，每个观察窗口都是如此，而没有找到持有它的 Python 对象",
	"{any} memory grows, window after window, and no Python object was found that holds it.":                                                                                    "{any} 内存在每个观察窗口都在增长，而没有找到持有它的 Python 对象",
	"{any} memory grows by {any} per step, window after window.":                                                                                                                "{any} 内存每步增长 {any}，每个观察窗口都是如此",
	"{any} memory grows, window after window.":                                                                                                                                  "{any} 内存在每个观察窗口都在增长",
	"{any} memory grows by {any} per step, {every}, and no evidence spans that many.":                                                                                           "{any} 内存每步增长 {any}，{every}一次，而证据的跨度不足",
	"{any} memory grows, {every}, and no evidence spans that many.":                                                                                                             "{any} 内存增长，{every}一次，而证据的跨度不足",
	"{code} is what the source does as often and what keeps something; nothing was seen of it.":                                                                                 "{code} 在源码中同样频繁地执行并保留内容；但没有观察到它",
	"What stays was allocated under {code}.":                                                                                                                                    "留存的内存是在 {code} 之下分配的",
	"It is one tensor, of shape {any} by now: it gets longer by {any} per step in dimension {any}, and nothing cuts it.":                                                        "它是一个张量，目前形状为 {any}：每步在第 {any#3} 维变长 {any#2}，从不截短",
	"It is one tensor: each step joins more to it in dimension {any}, and nothing cuts it.":                                                                                     "它是一个张量：每步都在第 {any} 维拼接更多内容，从不截短",
	"The private memory of loader workers grows while they read{cost}: reading a Python object changes its reference count, so the page it lies on is copied into each worker.": "加载器工作进程的私有内存在读取数据时增长{cost}：读取 Python 对象会改变其引用计数，因此所在的内存页会被复制到每个工作进程",
	"The private memory of loader workers grows while they read{cost}: reading a Python object changes its reference count, and writing into an array that was made before, or into a file that is mapped with `mode=\"c\"`, changes its pages, so these are copied into each worker.": "加载器工作进程的私有内存在读取数据时增长{cost}：读取 Python 对象会改变其引用计数，写入之前创建的数组或以 `mode=\"c\"` 映射的文件会改变其内存页，因此这些页会被复制到每个工作进程",
	"Rank {any} set up the same group of {any} ranks (color {any}) {any} times, in lines {any} to {any}, and {any} of the communicators were alive at one time.":                                                                                                                       "rank {any} 把同一个 {any} 个 rank 的组（color {any}）建立了 {any} 次，位于第 {any} 至 {any} 行，同时存活的通信器有 {any} 个",
	"Rank {any} set up groups of {any} ranks {any} times, in lines {any} to {any}, and {any} of the communicators were alive at one time.":                                                                                                                                             "rank {any} 把 {any} 个 rank 的组建立了 {any} 次，位于第 {any} 至 {any} 行，同时存活的通信器有 {any} 个",
	"Rank {any} set up the same group of {any} ranks (color {any}) {any} times, from line {any} of {any} to line {any} of {any}, and {any} of the communicators were alive at one time.":                                                                                               "rank {any} 把同一个 {any} 个 rank 的组（color {any}）建立了 {any} 次，从 {any#6} 第 {any#5} 行到 {any#8} 第 {any#7} 行，同时存活的通信器有 {any#9} 个",
	"Rank {any} set up groups of {any} ranks {any} times, from line {any} of {any} to line {any} of {any}, and {any} of the communicators were alive at one time.":                                                                                                                     "rank {any} 把 {any} 个 rank 的组建立了 {any} 次，从 {any#5} 第 {any#4} 行到 {any#7} 第 {any#6} 行，同时存活的通信器有 {any#8} 个",

	"Each keeps device memory outside PyTorch's allocator, commonly hundreds of megabytes, until its group is destroyed.": "在其组被销毁之前，每个都占用 PyTorch 分配器之外的设备内存，通常有数百兆字节",
	"retain_graph=True has kept the activations, so those of the whole forward stay behind each number.":                  "retain_graph=True 保留了激活值，因此每个数值背后都留着整个前向的激活值",
	"No backward has freed these graphs, so the activations of the whole forward stay behind each number.":                "没有反向传播释放过这些计算图，因此每个数值背后都留着整个前向的激活值",
	"backward() has freed the activations, but the graph's nodes live as long as a tensor refers to them.":                "backward() 已释放激活值，但只要有张量引用，计算图的节点就一直存在",
	"Each one also keeps its autograd graph, with whatever a backward would still need of that forward.":                  "每一个还保留着自己的计算图，以及反向传播可能还需要的该次前向的一切",
	"They carry no graph, so what stays is the activations themselves; only letting go of them ends the growth.":          "它们不带计算图，留下的是激活值本身；只有放开它们才能停止增长",
	"Each output refers by its grad_fn to the graph that made it, which stays as well.":                                   "每个输出都通过 grad_fn 引用产生它的计算图，后者也随之留存",
	"They carry no graph; their number alone is what grows.":                                                              "它们不带计算图；增长的只是它们的数量",
	"It is one tensor: each step joins more to it, and nothing cuts it.":                                                  "它是一个张量：每步都拼接更多内容，从不截短",
	"They are views of one memory that is mapped or shared, so what they cost is no more than the Python objects.":        "它们是同一块映射或共享内存的视图，因此代价只是 Python 对象本身",
	"They come from loader workers and lie in shared memory: each keeps a segment, and on Linux a file descriptor.":       "它们来自加载器的工作进程，位于共享内存：每个都占用一个段，在 Linux 上还占用一个文件描述符",
	"A kept batch costs its full size.":                                                                                                       "被保留的批次占用其全部大小",
	"Each copy is as large as what it was made of.":                                                                                           "每份副本与原件一样大",
	"A slice, and `detach()` too, shares the storage it was taken from, so the whole of it stays.":                                            "切片和 `detach()` 都与原张量共用存储，因此整块存储都会留下",
	"Keys that are new again and again find nothing, and nothing takes the old entries out.":                                                  "键每次都是新的，永远不会命中，也没有代码取出旧条目",
	"A tensor's hash is its identity, so a cache keyed by tensors (or by the step) never hits and keeps key and result.":                      "张量按身份计算哈希，因此以张量（或步数）为键的缓存永远不会命中，键和结果都留在其中",
	"Nothing bounds it, so it grows as long as the training runs.":                                                                            "它没有上限，因此训练多久就增长多久",
	"Each time all of it is copied.":                                                                                                          "每次都会复制它的全部内容",
	"The tensor has the same size in every step; the chain of graph nodes behind it is what grows.":                                           "张量在每一步大小相同，增长的是它背后的计算图链条",
	"Parameters that a module or an optimizer knows of are never let go, and each new one gets a gradient and optimizer state of its own.":    "模块和优化器登记过的参数不会被释放，而每个新参数还会有自己的梯度和优化器状态",
	"The name refers to one scalar only; what grows is the chain behind its grad_fn.":                                                         "这个名字只指向一个标量；增长的是它的 grad_fn 背后的链条",
	"Batch, outputs and graph of each failed step stay as long as its exception.":                                                             "每个失败步的批次、输出和计算图都与其异常一同留存",
	"`model.eval()` does not stop graph building: the model was seen in eval mode with gradients on.":                                         "`model.eval()` 并不会停止构建计算图：观察到模型处于 eval 模式且梯度开启",
	"Nothing frees those activations as long as the result lives.":                                                                            "只要结果还在，这些激活值就不会释放",
	"Weights made anew inside a region that spans many steps each leave a copy.":                                                              "在跨越许多步的区域中，每个新产生的权重都会留下一份副本",
	"Only Python's cyclic collector can free it, and that starts by counting objects, not bytes.":                                             "只有 Python 的循环垃圾回收才能释放它，而它按对象个数而不是字节数触发",
	"Nothing of it is freed before it is stopped or closed.":                                                                                  "在停止或关闭之前，这些内容都不会释放",
	"Python's collector cannot see it, so it is freed only when `.grad` is set to None.":                                                      "Python 的垃圾回收看不到它，只有把 `.grad` 设为 None 才会释放",
	"Every entry keeps the hook and all it closes over, and all of them run in every later pass.":                                             "每个条目都保留钩子及其闭包引用的一切，并在之后每次运行时被调用",
	"It stays registered until `destroy_process_group(group)`, and its device memory lies outside PyTorch's allocator.":                       "在 `destroy_process_group(group)` 之前它一直登记在册，其设备内存在 PyTorch 分配器之外",
	"Without the flag a backward frees the activations as it goes.":                                                                           "没有这个参数时，反向传播会边运行边释放激活值",
	"So every call leaves its types and functions behind.":                                                                                    "因此每次调用都会留下其类型和函数",
	"Reference counting never frees them; they wait for Python's collector, which counts objects and not bytes.":                              "引用计数无法释放它们；它们要等 Python 的垃圾回收，而后者按对象个数而不是字节数触发",
	"The caching allocator keeps freed blocks for later; this program can use all of them, others cannot.":                                    "缓存分配器保留已释放的块以备后用；本程序可以使用全部这些块，其他程序不能",
	"Blocks of varied sizes, freed in another order than they came, leave such gaps.":                                                         "大小不一的块以不同于分配的顺序释放，就会留下这样的空隙",
	"Communicators, library handles, contexts of other processes and other libraries take memory straight from the driver.":                   "通信器、库的句柄、其他进程的上下文和其他库都直接向驱动申请内存",
	"The first larger batch, evaluation or checkpoint can fail.":                                                                              "遇到第一个更大的批次、评估或检查点就可能失败",
	"No run looks into a loader worker, and the source of its data set, and of its `collate_fn`, shows nothing that keeps what it hands out.": "运行时不会查看加载器工作进程的内部，而其数据集和 `collate_fn` 的源码中没有看到保留所交出内容的代码",
	"What it calls elsewhere is left: `worker_init_fn`, libraries that decode.":                                                               "剩下的是它调用的其他部分：`worker_init_fn`、解码用的库",
	"A library's registry or cache, an extension that takes a reference too many, or objects hidden from the search hold it.":                 "持有它的可能是库的注册表或缓存、多取了一次引用的扩展，或对搜索不可见的对象",
	"It ends when all pages are copied, at the size of the data set times the number of workers.":                                             "全部页面复制完后即停止，总量为数据集大小乘以工作进程数",
}

// why is one of those sentences, made recognisable.
type why struct {
	form  *regexp.Regexp
	kinds []string // of the facts, in the order of the form
	text  string
}

var chineseWhyForms = sync.OnceValue(func() []why {
	var out []why
	for _, english := range longestFirst(chineseWhys) {
		w := why{text: chineseWhys[english]}
		form, from := "", 0
		for _, at := range filled.FindAllStringIndex(english, -1) {
			kind := english[at[0]+1 : at[1]-1]
			w.kinds = append(w.kinds, kind)
			form += regexp.QuoteMeta(english[from:at[0]]) + "(" + facts[kind].form + ")"
			from = at[1]
		}
		w.form = regexp.MustCompile(`(?s)^` + form + regexp.QuoteMeta(english[from:]) + `(?:\s+|$)`)
		out = append(out, w)
	}
	return out
})

// chineseWhy says a reason in Chinese, sentence by sentence; ok is false where one of them is not known.
func (c *Catalogue) chineseWhy(english string) (text string, ok bool) {
	var said []string
next:
	for rest := english; rest != ""; {
		for _, w := range chineseWhyForms() {
			if found := w.form.FindStringSubmatch(rest); found != nil {
				said = append(said, w.said(found[1:]))
				rest = rest[len(found[0]):]
				continue next
			}
		}
		return "", false
	}
	return c.Sentences(said...), len(said) > 0
}

// said fills the facts in: of a kind that comes more than once the next one each time, or the numbered one.
func (w why) said(found []string) string {
	var pairs []string
	for i, kind := range w.kinds {
		pairs = append(pairs, "{"+kind+"#"+string(rune('1'+i))+"}", facts[kind].say(found[i]))
	}
	text, taken := w.text, make([]bool, len(w.kinds))
	text = filled.ReplaceAllStringFunc(text, func(placeholder string) string {
		for i, kind := range w.kinds {
			if !taken[i] && placeholder == "{"+kind+"}" {
				taken[i] = true
				return "{" + kind + "#" + string(rune('1'+i)) + "}"
			}
		}
		return placeholder
	})
	return fillChinese(text, pairs)
}

// saidBy says what is among the words by them, and keeps what is not: names and code.
func saidBy(words map[string]string) func(string) string {
	return func(s string) string {
		if said, ok := words[s]; ok {
			return said
		}
		return s
	}
}

func chineseEvery(s string) string {
	if n, ok := strings.CutPrefix(s, "every "); ok {
		return "每 " + strings.TrimSuffix(n, " steps") + " 步"
	}
	return "每步"
}

var tensorForms = [...]struct {
	form *regexp.Regexp
	text string
}{
	{regexp.MustCompile(`^an entry \((.*)\) with (an? .*)$`), "一个条目（$1），其中有$2"},
	{regexp.MustCompile(`^a kept tensor of shape (.*)$`), "一个形状为 $1 的张量"},
	{regexp.MustCompile(`^a (\S+) tensor of shape (.*)$`), "一个形状为 $2 的 $1 张量"},
	{regexp.MustCompile(`^a kept scalar$`), "一个标量"},
	{regexp.MustCompile(`^a (\S+) scalar$`), "一个 $1 标量"},
	{regexp.MustCompile(`^a tensor$`), "一个张量"},
}

func chineseTensor(s string) string {
	for i, t := range tensorForms {
		found := t.form.FindStringSubmatch(s)
		switch {
		case found == nil:
		case i == 0:
			return "一个条目（" + found[1] + "），其中有" + chineseTensor(found[2])
		default:
			return t.form.ReplaceAllString(s, t.text)
		}
	}
	return s
}

var (
	survivalForm = regexp.MustCompile(`^(.+?)(?: per ([\d,]+ )?steps?)? (?:stayed alive over the ([\d,]+) steps watched|stay alive)$`)
	waitingForm  = regexp.MustCompile(`^(.+?) with (.+?) waited for the collector when last seen$`)
	countForm    = regexp.MustCompile(`^([\d.,]+(?:e\+\d+)?) (tensors?|entry|entries|graph nodes?)$`)
	costForm     = regexp.MustCompile(`^ \((.+) per step of (.+)\)$`)
	chineseNouns = map[string]string{"tensor": "个张量", "tensors": "个张量", "entry": "个条目", "entries": "个条目", "graph node": "个计算图节点", "graph nodes": "个计算图节点"}
)

func chineseSurvival(s string) string {
	if s == "memory stays" {
		return "内存未被释放"
	}
	if m := waitingForm.FindStringSubmatch(s); m != nil {
		return "最后一次查看时有 " + chineseCounts(m[1]) + "（" + m[2] + "）在等待垃圾回收"
	}
	m := survivalForm.FindStringSubmatch(s)
	if m == nil {
		return s
	}
	each := ""
	switch {
	case m[2] != "":
		each = "每 " + m[2] + "步"
	case strings.Contains(s, " per step"):
		each = "每步"
	}
	text := fillChinese(each+"有 {counts} 一直存活", []string{"{counts}", chineseCounts(m[1])})
	if m[3] != "" {
		text = "在所观察的 " + m[3] + " 步中，" + text
	}
	return text
}

// chineseCounts says "1 tensor, 9 graph nodes and 512 B".
func chineseCounts(s string) string {
	parts := strings.Split(strings.ReplaceAll(s, " and ", ", "), ", ")
	for i, part := range parts {
		if m := countForm.FindStringSubmatch(part); m != nil {
			parts[i] = m[1] + " " + chineseNouns[m[2]]
		}
	}
	return strings.Join(parts, "、")
}

func chineseCost(s string) string {
	m := costForm.FindStringSubmatch(s)
	if m == nil {
		return ""
	}
	of := strings.TrimSuffix(m[2], " memory") + " 内存"
	switch m[2] {
	case "shared memory":
		of = "共享内存"
	case "each worker's memory":
		of = "每个工作进程的内存"
	}
	return "（" + of + "每步 " + m[1] + "）"
}
