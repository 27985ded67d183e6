# The calls from R's DBI with RSQLite. usage: Rscript client_r.R module database calls
library(DBI)
arguments <- commandArgs(trailingOnly = TRUE)
db <- dbConnect(RSQLite::SQLite(), arguments[2], loadable.extensions = TRUE)
invisible(dbGetQuery(db, "SELECT load_extension(?)", params = list(arguments[1])))
for (line in readLines(arguments[3])) {
  call <- strsplit(line, "\t")[[1]]
  result <- if (call[1] == "interrupt") "none" else  # a call holds R's only thread
    tryCatch(as.character(dbGetQuery(db, call[2])[1, 1]), error = function(e) paste("error:", conditionMessage(e)))
  cat(call[1], "\t", result, "\n", sep = "")
}
dbDisconnect(db)
