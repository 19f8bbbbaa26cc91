package fetch

import "example.com/required"

func Fetch() error { return required.Fetch("http://shop.example") }
