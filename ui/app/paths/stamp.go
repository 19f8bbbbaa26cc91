package paths

import (
	"fmt"
	"os"
	"strings"
)

// FileStamp returns a text that changes when the size or the modification time of one of the files changes. It is ""
// if none of the files exists.
func FileStamp(files []string) string {
	var b strings.Builder
	for _, file := range files {
		if info, err := os.Stat(file); err == nil {
			fmt.Fprintf(&b, "%q %d %d\n", file, info.ModTime().UnixNano(), info.Size())
		}
	}
	return b.String()
}
