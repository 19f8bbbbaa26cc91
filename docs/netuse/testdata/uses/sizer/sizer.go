package sizer

import "example.com/required"

func Size() int { return required.New("shop.example").Size() }
