import FluxJSON
import FluxReplay
import Testing

@testable import FluxRecorder

@Suite struct LiveHostMachineTests {
  private static let welcome = LiveWelcome(
    app: .init(name: "Shop"), process: 1, log: "/log", allows: LivePermission.allCases)

  /// A machine with clients that have attached.
  private func machine(
    clients: UInt64 = 1, allowed: Set<LivePermission> = Set(LivePermission.allCases)
  ) -> LiveHostMachine {
    var machine = LiveHostMachine(allowed: allowed)
    for client in 1...max(clients, 1) where clients > 0 {
      _ = machine.handle(.connected(client))
      let request = LiveRequest.initialize(version: "1.1", client: nil)
      _ = machine.handle(.line(client, line(request)))
      _ = machine.handle(
        .answered(command(client, request), .success(.welcome(Self.welcome))))
    }
    return machine
  }

  private func line(_ request: LiveRequest, id: UInt64 = 1) -> [UInt8] {
    RPCLine.request(id, named: request.method.rawValue, request).dropLast()
  }

  private func command(
    _ client: UInt64, _ request: LiveRequest, id: Int = 1
  ) -> LiveHostMachine.Command {
    .init(client: client, id: .init(integerLiteral: Int64(id)), request: request)
  }

  /// Describes actions as a protocol between the host, its clients and the app.
  private func text(_ actions: [LiveHostMachine.Action]) -> [String] {
    actions.map { action in
      switch action {
      case .send(let client, let line):
        "to \(client): \(String(decoding: line.dropLast(), as: UTF8.self))"
      case .tell(let client, let notification): "tell \(client): \(notification.method.rawValue)"
      case .perform(let command): "app: \(command.request.method.rawValue) of \(command.client)"
      case .endPresentation: "app: end the presentation"
      case .observe(let isObserving): "app: \(isObserving ? "observe" : "observe no more")"
      case .close(let client): "close \(client)"
      }
    }
  }

  private static let done = #"{"jsonrpc":"2.0","id":1,"result":{}}"#

  @Test("the app is observed from the first client that attaches to the last that leaves")
  func observing() {
    var machine = LiveHostMachine(allowed: [.watch])
    #expect(machine.handle(.connected(1)) == [])
    #expect(machine.handle(.connected(2)) == [])
    let request = LiveRequest.initialize(version: "1.1", client: nil)
    #expect(
      text(machine.handle(.line(1, line(request)))) == ["app: observe", "app: initialize of 1"])
    #expect(text(machine.handle(.line(2, line(request)))) == ["app: initialize of 2"])
    let answer = machine.handle(
      .answered(command(1, request), .success(.welcome(Self.welcome))))
    #expect(
      text(answer) == [
        #"to 1: {"jsonrpc":"2.0","id":1,"result":{"protocol":"1.1","app":{"name":"Shop"},"process":1,"log":"/log","allows":["watch","dispatch","present","restore"]}}"#
      ])
    #expect(text(machine.handle(.left(1))) == [])
    #expect(text(machine.handle(.left(2))) == ["app: observe no more"])
    #expect(text(machine.handle(.left(2))) == [])
  }

  @Test("a client has one request at a time, and no answer after it has left")
  func oneRequest() {
    var machine = machine()
    #expect(machine.accepts(1))
    let request = LiveRequest.dispatch(["type": "shop/open"], target: nil)
    #expect(text(machine.handle(.line(1, line(request)))) == ["app: live/dispatch of 1"])
    #expect(!machine.accepts(1))
    let result = Result<LiveHostMachine.Answer, RPCError>.success(
      .dispatched(LiveDispatched(verdict: "changed", step: 4, last: 4)))
    #expect(
      text(machine.handle(.answered(command(1, request), result))) == [
        #"to 1: {"jsonrpc":"2.0","id":1,"result":{"verdict":"changed","step":4,"last":4}}"#
      ])
    #expect(machine.accepts(1))
    _ = machine.handle(.line(1, line(request)))
    #expect(text(machine.handle(.left(1))) == ["app: observe no more"])
    #expect(machine.handle(.answered(command(1, request), result)) == [])
  }

  @Test("only clients that watch are told of events")
  func watching() {
    var machine = machine(clients: 2)
    #expect(!machine.isWatched)
    #expect(text(machine.handle(.line(2, line(.watch)))) == ["to 2: \(Self.done)"])
    #expect(machine.isWatched)
    let steps = LiveNotification.steps([LiveStep(number: 1, type: "a")], dropped: 0)
    #expect(machine.handle(.happened(steps)) == [.tell(2, steps)])
  }

  @Test("the presentation ends with the client that began it")
  func presenterLeaves() {
    var machine = machine(clients: 3)
    _ = machine.handle(.line(3, line(.watch)))
    let request = LiveRequest.present(LivePosition(step: 2), ignoresActions: true)
    #expect(text(machine.handle(.line(1, line(request)))) == ["app: live/present of 1"])
    #expect(
      text(machine.handle(.answered(command(1, request), .success(.done)))) == [
        "tell 3: live/presenting", "to 1: \(Self.done)",
      ])
    #expect(machine.presenter == 1)
    #expect(text(machine.handle(.left(2))) == [])
    #expect(
      text(machine.handle(.left(1))) == ["app: end the presentation", "tell 3: live/resumed"])
    #expect(machine.presenter == nil)
  }

  @Test("a presentation that begins after its client has left ends at once")
  func presenterLeftBefore() {
    var machine = machine(clients: 2)
    let request = LiveRequest.present(LivePosition(step: 2), ignoresActions: false)
    _ = machine.handle(.line(1, line(request)))
    #expect(text(machine.handle(.left(1))) == [])
    #expect(
      text(machine.handle(.answered(command(1, request), .success(.done)))) == [
        "app: end the presentation"
      ])
  }

  @Test("a second client takes the presentation over, and a failed request does not")
  func secondPresenter() {
    var machine = machine(clients: 2)
    let request = LiveRequest.present(LivePosition(step: 2), ignoresActions: false)
    for client in [1, 2] as [UInt64] {
      _ = machine.handle(.line(client, line(request)))
      _ = machine.handle(.answered(command(client, request), .success(.done)))
      #expect(machine.presenter == client)
    }
    _ = machine.handle(.line(1, line(request)))
    #expect(
      text(machine.handle(.answered(command(1, request), .failure(.forgotten(step: 2))))) == [
        #"to 1: {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"the app no longer has the model after step 2","data":{"kind":"forgotten"}}}"#
      ])
    #expect(machine.presenter == 2)
    #expect(text(machine.handle(.left(1))) == [])
  }

  @Test(
    "resuming and restoring end the presentation",
    arguments: [LiveRequest.resume, .restore(LivePosition(step: 2))])
  func resume(_ request: LiveRequest) {
    var machine = machine(clients: 2)
    _ = machine.handle(.line(2, line(.watch)))
    let present = LiveRequest.present(nil, ignoresActions: true)
    _ = machine.handle(.line(1, line(present)))
    _ = machine.handle(.answered(command(1, present), .success(.done)))
    _ = machine.handle(.line(1, line(request)))
    #expect(
      text(machine.handle(.answered(command(1, request), .success(.done)))) == [
        "tell 2: live/resumed", "to 1: \(Self.done)",
      ])
    #expect(text(machine.handle(.left(1))) == [])
  }

  @Test(
    "a request needs its permission",
    arguments: [
      (LiveRequest.watch, "watch"), (.present(nil, ignoresActions: false), "present"),
      (.resume, "present"), (.restore(LivePosition(step: 1)), "restore"),
      (.dispatch(["type": "a"], target: nil), "dispatch"),
    ])
  func permission(_ request: LiveRequest, _ name: String) {
    let others = Set(LivePermission.allCases).subtracting(
      [LivePermission(rawValue: name)].compactMap { $0 })
    var machine = machine(allowed: others)
    let rest = ["watch", "dispatch", "present", "restore"].filter { $0 != name }
    #expect(
      text(machine.handle(.line(1, line(request)))) == [
        #"to 1: {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"the app does not allow \#(name); it allows only \#(rest.joined(separator: ", "))"}}"#
      ])
    machine = self.machine(allowed: Set(LivePermission.allCases))
    #expect(!text(machine.handle(.line(1, line(request)))).contains { $0.contains("error") })
  }

  @Test(
    "requests out of order, of another version and of no method are refused",
    arguments: [
      (
        #"{"jsonrpc":"2.0","id":7,"method":"live/watch"}"#,
        #"{"jsonrpc":"2.0","id":7,"error":{"code":-32002,"message":"the first request must be initialize"}}"#
      ),
      (
        #"{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocol":"2.0"}}"#,
        #"{"jsonrpc":"2.0","id":7,"error":{"code":-32000,"message":"the app speaks version 1.1 of the protocol, not 2.0"}}"#
      ),
      (
        #"{"jsonrpc":"2.0","id":7,"method":"session/start"}"#,
        #"{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"there is no method \"session/start\"; there are initialize, live/watch, live/present, live/resume, live/restore, live/dispatch"}}"#
      ),
    ])
  func refused(_ request: String, _ answer: String) {
    var machine = machine(clients: 0)
    _ = machine.handle(.connected(1))
    #expect(text(machine.handle(.line(1, Array(request.utf8)))) == ["to 1: \(answer)"])
  }

  @Test("a client that does not speak the protocol is told so and closed")
  func garbage() {
    var machine = machine()
    #expect(
      text(machine.handle(.line(1, Array("GET / HTTP/1.1".utf8)))) == [
        #"to 1: {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"the line is not JSON: \#(parseError)"}}"#,
        "close 1", "app: observe no more",
      ])
    #expect(!machine.accepts(1))
  }

  private var parseError: String {
    do {
      _ = try JSON.parse(Array("GET / HTTP/1.1".utf8))
      return ""
    } catch {
      return error.message
    }
  }

  @Test("the end of the host is told, and ends presentation and observation")
  func stop() {
    var machine = machine(clients: 2)
    _ = machine.handle(.line(1, line(.watch)))
    let request = LiveRequest.present(nil, ignoresActions: true)
    _ = machine.handle(.line(2, line(request)))
    _ = machine.handle(.answered(command(2, request), .success(.done)))
    #expect(
      text(machine.handle(.stopped)) == [
        "tell 1: live/ended", "close 1", "close 2", "app: end the presentation",
        "app: observe no more",
      ])
    #expect(machine.handle(.stopped) == [])
  }
}
