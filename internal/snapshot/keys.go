package snapshot

// The texts that mean something in a snapshot have fixed numbers: the first ones are keys, whose values are looked at.
const (
	keyAction = iota
	keyAddr
	keySize
	keyStream
	keyTime
	keyCompileContext
	keyUserMetadata
	keyPool
	keyFrames
	keyDeviceFree
	keyDevice
	keyAddress
	keyTotalSize
	keyRequestedSize
	keySegmentType
	keySegmentPool
	keyExpandable
	keyBlocks
	keyState
	keyHistory
	keyRealSize
	keyFile
	keyLine
	keyName
	keyStage
	keySegments
	keyTraces
	keySettings
	keyAnnotations
	keyConf
	keyMaxSplit
	keyGCThreshold
	keyExpandableSetting
	keyRoundup
	keyAllocatedSize
	keyActiveSize
	keyCount

	firstAction = keyCount
)

// names are the texts of the keys, then the actions in the order of Kind, then what a block's state may be.
var names = []string{"action", "addr", "size", "stream", "time_us", "compile_context", "user_metadata", "pool_id", "frames",
	"device_free", "device", "address", "total_size", "requested_size", "segment_type", "segment_pool_id", "is_expandable", "blocks",
	"state", "history", "real_size", "filename", "line", "name", "stage", "segments", "device_traces", "allocator_settings",
	"external_annotations", "PYTORCH_CUDA_ALLOC_CONF", "max_split_size", "garbage_collection_threshold", "expandable_segments",
	"roundup_power2_divisions", "allocated_size", "active_size",
	"alloc", "free_requested", "free_completed", "segment_alloc", "segment_free", "segment_map", "segment_unmap", "oom",
	"snapshot", "annotate", "user_defined",
	"active_allocated", "inactive", "active_pending_free", "active_awaiting_free", "small"}

const (
	textAllocated uint32 = firstAction + uint32(Other) + iota
	textInactive
	textPending
	textAwaiting
	textSmall
)

func bit(key int) uint64 { return 1 << key }
