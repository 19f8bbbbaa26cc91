module desk

go 1.24
