package specfile

import (
	"cmp"
	"net/url"
	"os"
	"path/filepath"

	"sonde/ui/app/paths"
)

// PublicURL returns a URL without its user and its query, which may be secrets. It returns "" if it is no URL.
func PublicURL(source string) string {
	u, err := url.Parse(source)
	if err != nil {
		return ""
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

// PathInRepository returns the path of a file as a URI that is relative to the root of the file's repository. For a
// file outside of a repository, it is relative to the current folder, or to the folder of the file if that is elsewhere.
func PathInRepository(file string) string {
	folder := paths.ResolveLinks(filepath.Dir(paths.Absolute(file)))
	root := repositoryOf(folder)
	if root == "" && paths.IsWithin(folder, ".") {
		root = paths.ResolveLinks(paths.Absolute("."))
	}
	relative, err := filepath.Rel(cmp.Or(root, folder), filepath.Join(folder, filepath.Base(file)))
	if err != nil {
		relative = filepath.Base(file)
	}
	return (&url.URL{Path: filepath.ToSlash(relative)}).String()
}

// repositoryOf returns the nearest folder with a Git repository, beginning with a folder itself. It returns "" if
// there is none.
func repositoryOf(folder string) string {
	for {
		if _, err := os.Stat(filepath.Join(folder, ".git")); err == nil {
			return folder
		}
		up := filepath.Dir(folder)
		if up == folder {
			return ""
		}
		folder = up
	}
}
