// The calls from Rust's rusqlite. usage: client module database calls
use rusqlite::{types::ValueRef, Connection};

fn text(value: ValueRef) -> String {
    match value {
        ValueRef::Null => String::from("NULL"),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => number.to_string(),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => String::from_utf8_lossy(bytes).into_owned(),
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let db = Connection::open(&arguments[2]).unwrap();
    unsafe {
        db.load_extension_enable().unwrap();
        db.load_extension(&arguments[1], None).unwrap();
    }
    for line in std::fs::read_to_string(&arguments[3]).unwrap().lines() {
        let (name, sql) = line.split_once('\t').unwrap();
        if name == "interrupt" {
            let handle = db.get_interrupt_handle();
            std::thread::spawn(move || {
                std::thread::sleep(std::time::Duration::from_millis(500));
                handle.interrupt();
            });
        }
        let result = db.query_row(sql, [], |row| Ok(text(row.get_ref(0)?)));
        println!("{}\t{}", name, result.unwrap_or_else(|error| format!("error: {}", error)));
    }
}
