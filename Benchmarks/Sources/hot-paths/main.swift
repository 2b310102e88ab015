import Foundation

// `hot-paths` prints the names of the paths and how often each is run. `hot-paths NAME RUNS` runs one, for a
// program that counts its instructions: those of twice as many runs, less those of so many, are without what
// starts the process and prepares the inputs.
let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count == 2, let runs = Int(arguments[1]) else {
  for path in allPaths() { print("\(path.runs)\t\(path.name)") }
  exit(0)
}
guard let path = allPaths().first(where: { $0.name == arguments[0] }) else {
  FileHandle.standardError.write(Data("there is no path \(arguments[0])\n".utf8))
  exit(64)
}
let folder = FileManager.default.temporaryDirectory.appending(
  path: "hot-path-\(ProcessInfo.processInfo.processIdentifier)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
try path.prepare(folder)(runs)
try FileManager.default.removeItem(at: folder)
