package openapi

import "sort"

// mostCulprits bounds the pieces that are left out because kin-openapi refuses
// them for a reason that the rules do not know.
const mostCulprits = 100

// isolate finds the pieces without which try succeeds, and leaves each of them
// out by calling drop. try is given the number of pieces to take, from the
// first; it fails from the first bad one on, which bisecting finds.
func isolate(n int, try func(first int) error, drop func(i int, why error)) error {
	for range mostCulprits {
		err := try(n)
		if err == nil {
			return nil
		}
		if bare := try(0); bare != nil {
			return bare
		}
		bad := sort.Search(n, func(i int) bool { return try(i+1) != nil })
		if bad == n {
			return err
		}
		drop(bad, err)
	}
	return try(n)
}
