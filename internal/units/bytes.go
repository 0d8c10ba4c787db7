package units

import "strconv"

var byteNames = [...]string{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}

// Bytes prints n with the largest unit that leaves at least 1: "512 B", "2.0 MiB", "412 MiB".
func Bytes(n int64) string {
	sign := ""
	size := float64(n)
	if n < 0 {
		sign, size = "-", -size
	}
	if size < 1024 {
		return sign + strconv.FormatFloat(size, 'f', 0, 64) + " B"
	}
	unit := 0
	for unit+1 < len(byteNames) && size >= 1023.5 {
		size /= 1024
		unit++
	}
	return sign + digits(size) + " " + byteNames[unit]
}

// digits prints two significant digits below ten and whole numbers from there.
func digits(x float64) string {
	if x < 9.95 {
		return strconv.FormatFloat(x, 'f', 1, 64)
	}
	return strconv.FormatFloat(x, 'f', 0, 64)
}

// SignedBytes prints n as Bytes does, with its sign: "+2.0 MiB". Zero has none.
func SignedBytes(n int64) string {
	if n > 0 {
		return "+" + Bytes(n)
	}
	return Bytes(n)
}

// Rate prints n bytes per step with its sign: "+2.0 MiB/step".
func Rate(n int64) string { return SignedBytes(n) + "/step" }
