import FluxSystem
import Foundation
import TerminalTesting
import TestFixtures
import Testing

/// Sessions over TCP with the TodoMVC example, in processes that share no folder for sockets.
@Suite("flux-inspect attach over TCP", .waiting) struct NetworkAttachTests {
  private let folder: TemporaryFolder
  private let token = AccessToken(byteCount: 16).text

  init() throws {
    folder = try TemporaryFolder()
    for name in ["here", "there"] {
      try FileManager.default.createDirectory(
        at: folder.url(name), withIntermediateDirectories: true)
    }
    try folder.write("\(token)\n", to: "token")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: folder.path("token"))
  }

  /// Starts the app on another side: with another home folder and another folder for temporary files.
  private func startApp(
    _ port: UInt16, token: String? = nil, through starter: [String] = []
  ) throws -> Terminal {
    let there = folder.path("there")
    let app = try Terminal(
      starter + [BuiltProduct.path("todomvc-example"), "--record", "\(there)/todo.jsonl"],
      environment: [
        "HOME": there, "TMPDIR": there, "XDG_RUNTIME_DIR": there,
        "FLUX_INSPECTOR": "127.0.0.1:\(port)", "FLUX_INSPECTOR_TOKEN": token ?? self.token,
      ])
    try app.type("add milk\n")
    try app.wait(for: "[ ] 1 milk")
    return app
  }

  private var environment: [String: String] {
    folder.userFolders.merging(["XDG_RUNTIME_DIR": folder.path("here")]) { $1 }
  }

  @Test("an app is shown, restored, dispatched to, verified, forked and shrunk from the other side")
  func commands() throws {
    // A port that was free a moment ago.
    try useApp(try NetworkListener(NetworkAddress(port: 0)).address.port)
  }

  @Test(
    "the same works in a network that has nothing but its loopback device",
    .enabled(if: NetworkNamespace.isAvailable, "it takes root, unshare, nsenter and ip"))
  func isolated() throws {
    let network = try NetworkNamespace()
    try useApp(4711, through: network.starter)
    withExtendedLifetime(network) {}
  }

  private func useApp(_ port: UInt16, through starter: [String] = []) throws {
    let app = try startApp(port, through: starter)
    let result = try ProgramRun(
      [
        "attach", "--listen", "\(port)", "--token-file", folder.path("token"), "--once", "-e",
        #"dispatch {"type":"todo/add","payload":{"title":"jam"}}"#, "-e", "app", "-e", "show 1",
        "-e", "resume",
        "-e", "verify", "-e", "fork 1", "-e",
        #"dispatch {"type":"todo/add","payload":{"title":"tea"}}"#, "-e", "switch 0", "-e",
        "shrink length(todos.items) == 2", "-e", "restore 1", "--format", "ndjson",
      ], environment: ["XDG_RUNTIME_DIR": folder.path("here")], through: starter, in: folder)
    #expect(
      result.errors == """
        waiting for an app that is started with these variables:
        FLUX_INSPECTOR=127.0.0.1:\(port)
        FLUX_INSPECTOR_TOKEN=<the token in \(folder.path("token"))>
        note: the app leaves steps 2 to 4 behind, which stay in its log; its running effects are cancelled
        note: until the app dispatches an action, the newest step here is 4

        """)
    #expect(result.code == 0, "\(result)")
    let lines = result.output.split(separator: "\n")
    try #require(lines.count == 10, "\(result)")
    #expect(lines[0].contains(#""result":{"live":true,"steps":[{"n":3,"#))
    #expect(lines[1].contains(#""result":{"runs":"attached","app":"TodoMVC","process":"#))
    #expect(lines[2].contains(#""result":{"app":"showing","step":1}"#))
    #expect(lines[3].contains(#""result":{"app":"live","step":4}"#))
    #expect(lines[4].contains(#""verdict":"passed""#))
    #expect(lines[6].contains(#""title":"tea""#))
    #expect(lines[9].contains(#""result":{"app":"restored","step":1}"#))
    try app.wait(for: "the restored screen") { !$0.text.contains("jam") }
    // The app goes on without the inspector.
    try app.type("add pie\n")
    try app.wait(for: "[ ] 2 pie")
  }

  /// Starts an inspector that waits for an app; returns it with the port and the token that it prints.
  private func listen() throws -> (inspector: Terminal, port: UInt16, token: String) {
    let inspector = try Terminal(
      [BuiltProduct.path("flux-inspect"), "attach", "--listen", "0"], environment: environment,
      columns: 120)
    let screen = try inspector.wait(for: "the variables") {
      $0.text.contains(#/FLUX_INSPECTOR_TOKEN=[0-9a-f]{32}/#)
    }
    let port = try #require(screen.text.firstMatch(of: #/FLUX_INSPECTOR=127.0.0.1:([0-9]+)/#)?.1)
    let token = try #require(screen.text.firstMatch(of: #/_TOKEN=([0-9a-f]{32})/#)?.1)
    return (inspector, try #require(UInt16(port)), String(token))
  }

  /// Connects as an app that describes itself, and loses the connection when it is asked for its log.
  private func loseConnection(to port: UInt16, _ token: String) throws {
    let stream = try Descriptor.connecting(to: NetworkAddress(port: port))
    var codes = try Handshake(.app, AccessToken(token)).perform(on: stream)
    let welcome = #"""
      {"jsonrpc":"2.0","id":1,"result":{"protocol":"2.0","parts":["log"],\#
      "app":{"name":"Lost","stores":[],"actionTypes":[]},"process":4242,"log":"/nowhere/log.jsonl","allows":["log"]}}

      """#
    var splitter = LineSplitter()
    for answer in [welcome, nil] {
      while splitter.next() == nil {
        Descriptor.wait(reading: [stream], writing: nil, milliseconds: 5000)
        guard case .bytes(let bytes) = stream.receive() else { return }
        splitter.append(bytes)
      }
      if let answer { _ = stream.send(codes.sent.line(of: Array(answer.utf8))[...]) }
    }
  }

  @Test("if the connection is lost before the log is here, the next app gets the session")
  func lostConnection() throws {
    let (inspector, port, token) = try listen()
    try loseConnection(to: port, token)
    try inspector.wait(
      for: "note: the connection to Lost was lost before its log was here; waiting for the app")
    let app = try startApp(port, token: token)
    try inspector.wait(forLine: "(TodoMVC live 2 todo/saved)")
    withExtendedLifetime(app) {}
  }

  @Test("an app that is started again gets the next session")
  func startedAgain() throws {
    let (inspector, number, token) = try listen()
    let app = try startApp(number, token: token)
    try inspector.wait(forLine: "(TodoMVC live 2 todo/saved)")
    try app.type(bytes: [4])
    #expect(try app.waitForEnd() == .code(0))
    try inspector.wait(for: "the log was closed")
    try FileManager.default.removeItem(atPath: folder.path("there/todo.jsonl"))
    let again = try startApp(number, token: token)
    try inspector.wait(for: "TodoMVC has connected; 'quit' opens a session with it")
    try inspector.type("quit\n")
    try inspector.wait(forLine: "(TodoMVC live 2 todo/saved)")
    try again.type("add tea\n")
    try inspector.wait(forLine: "(TodoMVC live 4 todo/saved)")
    try inspector.quit(prompt: "(TodoMVC live 4 todo/saved)")
    try again.type("add jam\n")
    try again.wait(for: "[ ] 3 jam")
  }

  @Test(
    "arguments that exclude each other, addresses that are none and a lack of a listener are told")
  func mistakes() throws {
    func errors(_ arguments: String...) throws -> String {
      try ProgramRun(["attach"] + arguments, in: folder).errors
    }
    #expect(
      try errors("--listen", "1", "--connect", "2").hasPrefix(
        "Error: --listen and --connect exclude each other\n"))
    #expect(
      try errors("TodoMVC", "--listen", "1").hasPrefix(
        "Error: --listen and --connect take no name; the app that connects is the one\n"))
    #expect(
      try errors("TodoMVC", "--list").hasPrefix(
        "Error: --list lists all running apps; remove the name\n"))
    #expect(
      try errors("--listen", "here:").hasPrefix(
        "Error: The value 'here:' is invalid for '--listen <[host:]port>'\n"))
    let port = try NetworkListener(NetworkAddress(port: 0)).address.port
    #expect(
      try errors("--connect", "\(port)", "--token-file", folder.path("token"))
        == "error: cannot connect to 127.0.0.1:\(port): Connection refused\n")
    let taken = try NetworkListener(NetworkAddress(port: 0))
    #expect(
      try errors("--listen", "\(taken.address.port)", "--token-file", folder.path("token"))
        == "error: cannot listen on \(taken.address): Address already in use\n")
    for list in [[], ["--list"]] {
      #expect(
        try ProgramRun(["attach", "--container", "../x"] + list, in: folder)
          == ProgramRun(2, errors: "error: ../x is not the bundle identifier of an app\n"))
    }
  }
}
