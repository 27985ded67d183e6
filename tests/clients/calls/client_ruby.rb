# The calls from Ruby's sqlite3. usage: client_ruby.rb module database calls
require 'sqlite3'
mod, database, calls = ARGV
db = SQLite3::Database.new(database)
db.enable_load_extension(true)
db.load_extension(mod)
File.foreach(calls, chomp: true) do |line|
  name, sql = line.split("\t")
  result =
    if name == 'interrupt'
      'none' # a call holds the interpreter's lock, so that no other thread can interrupt it
    else
      begin
        db.get_first_value(sql)
      rescue SQLite3::Exception => e
        "error: #{e.message}"
      end
    end
  puts "#{name}\t#{result}"
end
