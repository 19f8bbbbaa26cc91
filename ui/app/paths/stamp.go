package paths

import (
	"fmt"
	"os"
	"strings"
)

// FileStamp tells states of files apart, by when they were written and how long they are;
// "" where none of them is there.
func FileStamp(files []string) string {
	var b strings.Builder
	for _, file := range files {
		if info, err := os.Stat(file); err == nil {
			fmt.Fprintf(&b, "%q %d %d\n", file, info.ModTime().UnixNano(), info.Size())
		}
	}
	return b.String()
}
