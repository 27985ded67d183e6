// A node of a dqlite cluster whose SQLite has trustsql, and a client that runs SQL on the cluster's leader.
//
//	trustsql-dqlite node -module trustsql.so -address 127.0.0.1:9001 -dir data1
//	trustsql-dqlite node -module trustsql.so -address 127.0.0.1:9002 -dir data2 -join 127.0.0.1:9001
//	trustsql-dqlite sql -cluster 127.0.0.1:9001,127.0.0.1:9002 "SELECT trustsql_version()"
//	trustsql-dqlite leader -cluster 127.0.0.1:9001
//
// dqlite opens its own connections, so the module is made an automatic extension: SQLite calls its entry point for each
// connection of the process. README.md says what works there and what does not.
package main

/*
#cgo LDFLAGS: -lsqlite3 -ldl
#include <dlfcn.h>
#include <sqlite3.h>
#include <stdlib.h>

// Makes the entry point `name` of the module at `path` an automatic extension; returns what went wrong, or NULL.
static const char* load_module(const char* path, const char* name) {
  void* module = dlopen(path, RTLD_NOW);
  if (module == NULL) return dlerror();
  void* entry_point = dlsym(module, name);
  if (entry_point == NULL) return dlerror();
  int code = sqlite3_auto_extension((void (*)(void))entry_point);
  return code == SQLITE_OK ? NULL : sqlite3_errstr(code);
}
*/
import "C"

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"github.com/canonical/go-dqlite/app"
	"github.com/canonical/go-dqlite/client"
	"github.com/canonical/go-dqlite/driver"
)

// The entry point without network: a node that waits for a server would block its cluster.
const entryPoint = "sqlite3_trustsql_offline_init"

func loadModule(path string) error {
	cPath, cName := C.CString(path), C.CString(entryPoint)
	defer C.free(unsafe.Pointer(cPath))
	defer C.free(unsafe.Pointer(cName))
	if message := C.load_module(cPath, cName); message != nil {
		return errors.New(C.GoString(message))
	}
	return nil
}

// Runs a node until the process is told to end.
func node(arguments []string) error {
	flags := flag.NewFlagSet("node", flag.ExitOnError)
	module := flags.String("module", "", "path of trustsql.so")
	address := flags.String("address", "127.0.0.1:9001", "address of this node")
	folder := flags.String("dir", "data", "folder of this node's data")
	join := flags.String("join", "", "addresses of other nodes, separated by commas")
	if err := flags.Parse(arguments); err != nil {
		return err
	}
	if err := loadModule(*module); err != nil {
		return fmt.Errorf("the module cannot be loaded: %w", err)
	}
	if err := os.MkdirAll(*folder, 0o755); err != nil {
		return err
	}
	options := []app.Option{app.WithAddress(*address)}
	if *join != "" {
		options = append(options, app.WithCluster(strings.Split(*join, ",")))
	}
	dqlite, err := app.New(*folder, options...)
	if err != nil {
		return err
	}
	stop, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	if err := dqlite.Ready(stop); err != nil {
		return err
	}
	fmt.Println("ready", *address)
	<-stop.Done()
	ending, cancelEnding := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancelEnding()
	_ = dqlite.Handover(ending)
	return dqlite.Close()
}

// Runs statements on the leader: the one that is given, or those of the standard input, one on each line. Prints the rows
// of each, and then a line with its status: "ok", or "error" with the message.
func run(arguments []string) error {
	flags := flag.NewFlagSet("sql", flag.ExitOnError)
	cluster := flags.String("cluster", "127.0.0.1:9001", "addresses of the nodes, separated by commas")
	name := flags.String("database", "main.db", "name of the database")
	timeout := flags.Duration("timeout", 60*time.Second, "how long a statement may take")
	if err := flags.Parse(arguments); err != nil {
		return err
	}
	store := client.NewInmemNodeStore()
	var nodes []client.NodeInfo
	for i, address := range strings.Split(*cluster, ",") {
		nodes = append(nodes, client.NodeInfo{ID: uint64(i + 1), Address: address})
	}
	if err := store.Set(context.Background(), nodes); err != nil {
		return err
	}
	dqlite, err := driver.New(store)
	if err != nil {
		return err
	}
	sql.Register("dqlite", dqlite)
	database, err := sql.Open("dqlite", *name)
	if err != nil {
		return err
	}
	defer database.Close()
	database.SetMaxOpenConns(1) // what a connection has learned or loaded belongs to it
	if flags.NArg() > 0 {
		return execute(database, flags.Arg(0), *timeout)
	}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		if err := execute(database, lines.Text(), *timeout); err != nil {
			fmt.Println("error", strings.ReplaceAll(err.Error(), "\n", " "))
		} else {
			fmt.Println("ok")
		}
	}
	return lines.Err()
}

// Prints the address of the leader that the first node knows.
func leader(arguments []string) error {
	flags := flag.NewFlagSet("leader", flag.ExitOnError)
	cluster := flags.String("cluster", "127.0.0.1:9001", "address of a node")
	if err := flags.Parse(arguments); err != nil {
		return err
	}
	limited, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	connection, err := client.New(limited, *cluster)
	if err != nil {
		return err
	}
	defer connection.Close()
	found, err := connection.Leader(limited)
	if err != nil {
		return err
	}
	if found == nil {
		return errors.New("the node knows no leader")
	}
	fmt.Println(found.Address)
	return nil
}

func execute(database *sql.DB, statement string, timeout time.Duration) error {
	limited, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	first := strings.ToUpper(strings.TrimSpace(statement))
	if !strings.HasPrefix(first, "SELECT") && !strings.HasPrefix(first, "WITH") && !strings.HasPrefix(first, "PRAGMA") {
		_, err := database.ExecContext(limited, statement)
		return err
	}
	rows, err := database.QueryContext(limited, statement)
	if err != nil {
		return err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	values := make([]any, len(columns))
	pointers := make([]any, len(columns))
	for i := range values {
		pointers[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(pointers...); err != nil {
			return err
		}
		texts := make([]string, len(values))
		for i, value := range values {
			switch cell := value.(type) {
			case nil:
				texts[i] = "NULL"
			case []byte:
				texts[i] = string(cell)
			default:
				texts[i] = fmt.Sprint(cell)
			}
		}
		fmt.Println(strings.Join(texts, "|"))
	}
	return rows.Err()
}

func main() {
	commands := map[string]func([]string) error{"node": node, "sql": run, "leader": leader}
	if len(os.Args) < 2 || commands[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: trustsql-dqlite node|sql|leader [options]; -h after any of them lists its options")
		os.Exit(2)
	}
	if err := commands[os.Args[1]](os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "trustsql-dqlite:", err)
		os.Exit(1)
	}
}
