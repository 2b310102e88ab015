import FluxCommands
import FluxInspector
import FluxLog
import FluxRecorder
import Foundation
import ShopExample

// The shop's own inspector. It links the shop's stores, so its replay commands dispatch in this
// process and need no `--app`.
guard CommandLine.arguments.count == 2 else {
  complain("usage: shop-inspector LOG   (commands are read from standard input)")
  exit(2)
}
do {
  var services = Services()
  services.app = AppDefinition(name: "Shop", version: "1.0") { makeShop(service: ClosedShop()) }
  let log = try LogFile.open(CommandLine.arguments[1])
  var inspector = CommandLoop(Session(log, services: services))
  exit(try inspector.run())
} catch {
  complain("\(error)")
  exit(4)
}

/// Writes a line to standard error.
func complain(_ problem: String) {
  FileHandle.standardError.write(Data("\(problem)\n".utf8))
}
