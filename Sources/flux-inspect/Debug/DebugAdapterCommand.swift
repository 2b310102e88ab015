import ArgumentParser
import FluxDebugAdapter
import FluxHost
import FluxInspector
import FluxLog
import FluxSystem
import Foundation
import ScriptCommands
import SystemPackage

/// `flux-inspect dap`: a recording in the debugger of an editor.
struct DebugAdapterCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dap", abstract: "Serve an editor's debugger, which steps through a recording",
    discussion: """
      An editor starts this command, and speaks the Debug Adapter Protocol on its standard input and output. The \
      launch names the log; the editor then shows the line that dispatched each action. docs/editors.md has the \
      set-up for VS Code, Neovim, Emacs and Helix.
      """)

  @Option(
    help: ArgumentHelp(
      "Listen for editors on this local port; 0 picks one, and prints it to standard error",
      valueName: "number"))
  var port: UInt16?

  func run() throws {
    let code = try port.map { try serve(port: $0) } ?? serveStandardStreams()
    if code != 0 { throw ExitCode(code) }
  }

  private func serveStandardStreams() throws -> Int32 {
    let input: Descriptor
    let output: Descriptor
    do throws(SystemError) {
      (input, output) = (try Descriptor(duplicating: 0), try Descriptor(duplicating: 1))
    } catch {
      return complain("cannot use the standard streams: \(systemMessage(error.code))")
    }
    return report(DebugAdapter(ClientConnection(reading: input, writing: output), .program).run())
  }

  /// Serves each client on threads of its own, until the last one is gone.
  private func serve(port: UInt16) throws -> Int32 {
    let listener: LoopbackListener
    do throws(SystemError) {
      listener = try LoopbackListener(port: port)
    } catch {
      return complain("cannot listen on port \(port): \(systemMessage(error.code))")
    }
    complain(note: "listening on 127.0.0.1:\(listener.port)")
    let clients = Monitor(Clients())
    while !clients.withLock({ $0.areGone }) {
      guard let socket = listener.accept(milliseconds: 50) else { continue }
      clients.withLock { $0.begin() }
      Thread {
        let end = DebugAdapter(ClientConnection(reading: socket, writing: socket), .program).run()
        let code = report(end)
        clients.withLock { $0.end(code) }
      }.start()
    }
    return clients.withLock { $0.exitCode }
  }

  /// The exit code of a session, after the reason why it ended early.
  private func report(_ end: DebugAdapter.End) -> Int32 {
    switch end {
    case .closed: 0
    case .malformed(let message): complain("the client does not speak the protocol: \(message)")
    }
  }

  private func complain(_ problem: String) -> Int32 {
    complain(note: "error: \(problem)")
    return CommandError(.file, problem).exitCode
  }

  private func complain(note: String) {
    do {
      try FileDescriptor.standardError.writeAll("\(note.printable)\n".utf8)
    } catch {
      // Standard error is closed; the exit code says the same.
    }
  }
}

/// The clients of a port.
private struct Clients {
  private var count = 0
  private var hadAny = false
  private(set) var exitCode: Int32 = 0

  /// `true` once all are gone, and there was one.
  var areGone: Bool { hadAny && count == 0 }

  mutating func begin() {
    count += 1
    hadAny = true
  }

  mutating func end(_ code: Int32) {
    count -= 1
    exitCode = max(exitCode, code)
  }
}

extension AdapterWorld {
  /// The files and apps of this machine.
  fileprivate static var program: AdapterWorld {
    var world = AdapterWorld(
      open: { [input = LogInput()] path in try input.opened(path) },
      app: { HostApp(executable: $0, isCancelled: $1) })
    world.attach = { name, isCancelled in
      let app = try LiveConnection.attached(to: name, isCancelled: isCancelled)
      _ = try app.log()
      return app
    }
    world.services.files = SystemFiles()
    world.services.invocation = CommandLine.invocation
    return world
  }
}
