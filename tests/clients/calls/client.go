// The calls from Go's database/sql with the driver of mattn. usage: client module database calls
package main

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"os"
	"strings"
	"time"

	sqlite3 "github.com/mattn/go-sqlite3"
)

func main() {
	sql.Register("sqlite3_trustsql", &sqlite3.SQLiteDriver{Extensions: []string{os.Args[1]}})
	db, err := sql.Open("sqlite3_trustsql", os.Args[2])
	if err != nil {
		panic(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	file, err := os.Open(os.Args[3])
	if err != nil {
		panic(err)
	}
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		call := strings.Split(lines.Text(), "\t")
		wait := time.Minute
		if call[0] == "interrupt" {
			wait = 500 * time.Millisecond
		}
		limited, cancel := context.WithTimeout(context.Background(), wait)
		var result string
		err := db.QueryRowContext(limited, call[1]).Scan(&result)
		cancel()
		if err != nil {
			result = "error: " + err.Error()
		}
		fmt.Printf("%s\t%s\n", call[0], result)
	}
}
