import FluxLog
import FuzzInput

/// Opens a log, and waits until all of it is indexed.
func openLog(_ file: InputFile) throws(LogError) -> LogFile {
  var options = LogFile.Options()
  options.threads = 1
  let log = try LogFile.open(file.path, options: options)
  try log.waitForIndex()
  return log
}
