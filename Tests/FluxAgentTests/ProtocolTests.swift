import FluxJSON
import Foundation
import TestFixtures
import Testing

@testable import FluxAgent

@Suite struct ProtocolTests {
  private let folder: TemporaryFolder
  private let client: AgentClient

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(
      [
        #"{"flux":"1.0","log":"c0","created":"2026-11-20T12:00:00.000000Z","seed":"0000000000000001","first":1,"app":{"name":"Counter","version":"1.0"},"stores":{"counter":{"type":"Counter","initial":{"count":0}}}}"#,
        #"{"n":1,"t":1.000000,"action":{"type":"counter/add","payload":{"amount":2}},"states":{"counter":{"count":2}}}"#,
        #"{"end":{"steps":1,"ok":true}}"#, "",
      ].joined(separator: "\n"), to: "counter.jsonl")
    client = AgentClient(AgentClient.world([folder.path("counter.jsonl")], folder))
  }

  private static let instructions = JSON(stringLiteral: Catalogue.instructions).text

  /// A session of the older protocols: what the client sends, and what comes back.
  @Test("a whole conversation of a session")
  func session() {
    let conversation: [(String, [String])] = [
      (#"{"jsonrpc":"2.0","id":0,"method":"ping"}"#, [#"{"jsonrpc":"2.0","id":0,"result":{}}"#]),
      (
        #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"mcp","version":"0.1.0"}}}"#,
        [
          #"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"resources":{},"prompts":{}},"serverInfo":{"name":"flux-inspect","version":"0"},"instructions":\#(Self.instructions)}}"#
        ]
      ),
      (#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, []),
      (
        #"{"jsonrpc":"2.0","id":"two","method":"tools/call","params":{"name":"state","arguments":{"log":"counter","n":1}}}"#,
        [
          #"{"jsonrpc":"2.0","id":"two","result":{"content":[{"type":"text","text":"{\"n\":1,\"value\":{\"counter\":{\"count\":2}}}"}],"structuredContent":{"n":1,"value":{"counter":{"count":2}}}}}"#
        ]
      ),
      (
        #"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"state","arguments":{}}}"#,
        [
          #"{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"state: log is missing: The name of the log, as recordings lists it\nthe arguments are log, n, path?, depth?, skip?, fork?, cursor?"}],"isError":true}}"#
        ]
      ),
      (
        #"{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"stat","arguments":{}}}"#,
        [
          #"{"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"there is no tool 'stat'; did you mean state?"}}"#
        ]
      ),
      (
        #"{"jsonrpc":"2.0","id":5,"method":"resources/list"}"#,
        [
          #"{"jsonrpc":"2.0","id":5,"result":{"resources":[{"uri":"recording://counter.jsonl","name":"counter.jsonl","mimeType":"application/json"}]}}"#
        ]
      ),
      (
        #"{"jsonrpc":"2.0","id":6,"method":"resources/read","params":{"uri":"recording://none"}}"#,
        [
          #"{"jsonrpc":"2.0","id":6,"error":{"code":-32602,"message":"no such resource: overview: there is no log 'none'; there is 'counter.jsonl'","data":{"uri":"recording://none"}}}"#
        ]
      ),
      (
        #"{"jsonrpc":"2.0","id":7,"method":"logging/setLevel","params":{"level":"info"}}"#,
        [
          #"{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"no method 'logging/setLevel'; there are initialize, ping, tools/list, tools/call, resources/list, resources/templates/list, resources/read, prompts/list, prompts/get"}}"#
        ]
      ),
      (
        #"{"jsonrpc":"2.0","id":9,"method":"tools/list","params":{"cursor":"x"}}"#,
        [
          #"{"jsonrpc":"2.0","id":9,"error":{"code":-32602,"message":"tools/list: the list has a single page, so it takes no cursor"}}"#
        ]
      ),
      (
        #"{"jsonrpc":"2.0","id":8,"method":"initialize","params":{"protocolVersion":"2026-07-28"}}"#,
        [
          #"{"jsonrpc":"2.0","id":8,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"resources":{},"prompts":{}},"serverInfo":{"name":"flux-inspect","version":"0"},"instructions":\#(Self.instructions)}}"#
        ]
      ),
    ]
    for (line, answers) in conversation { #expect(client.texts(line) == answers) }
  }

  private static let meta =
    #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"mcp","version":"0.1.0"},"io.modelcontextprotocol/clientCapabilities":{}}"#
  private static let server =
    #""_meta":{"io.modelcontextprotocol/serverInfo":{"name":"flux-inspect","version":"0"}}"#

  @Test("a whole conversation without a session")
  func stateless() {
    let (meta, server) = (Self.meta, Self.server)
    let conversation: [(String, [String])] = [
      (
        #"{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{\#(meta)}}"#,
        [
          #"{"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"resources":{},"prompts":{}},"instructions":\#(Self.instructions),"resultType":"complete","ttlMs":0,"cacheScope":"private",\#(server)}}"#
        ]
      ),
      (
        #"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"who_wrote","arguments":{"log":"counter.jsonl","path":"counter.count"},\#(meta)}}"#,
        [
          #"{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"{\"of\":{\"path\":\"/counter/count\"},\"writes\":[{\"n\":1,\"type\":\"counter/add\",\"value\":2}]}"}],"structuredContent":{"of":{"path":"/counter/count"},"writes":[{"n":1,"type":"counter/add","value":2}]},"resultType":"complete",\#(server)}}"#
        ]
      ),
      (
        #"{"jsonrpc":"2.0","id":3,"method":"resources/templates/list","params":{\#(meta)}}"#,
        [
          #"{"jsonrpc":"2.0","id":3,"result":{"resourceTemplates":\#(JSON(array: Resources.templates).text),"resultType":"complete","ttlMs":0,"cacheScope":"private",\#(server)}}"#
        ]
      ),
      (
        #"{"jsonrpc":"2.0","id":4,"method":"resources/read","params":{"uri":"recording://counter.jsonl/steps/9",\#(meta)}}"#,
        [
          #"{"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"no such resource: step: there is no step 9; the log has steps 1 to 1","data":{"uri":"recording://counter.jsonl/steps/9"}}}"#
        ]
      ),
      (
        #"{"jsonrpc":"2.0","id":5,"method":"ping","params":{\#(meta)}}"#,
        [
          #"{"jsonrpc":"2.0","id":5,"error":{"code":-32601,"message":"no method 'ping'; there are server/discover, tools/list, tools/call, resources/list, resources/templates/list, resources/read, prompts/list, prompts/get"}}"#
        ]
      ),
      (
        #"{"jsonrpc":"2.0","id":6,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2031-01-01","io.modelcontextprotocol/clientCapabilities":{}}}}"#,
        [
          #"{"jsonrpc":"2.0","id":6,"error":{"code":-32022,"message":"unsupported protocol version","data":{"supported":["2026-07-28"],"requested":"2031-01-01"}}}"#
        ]
      ),
      (
        #"{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#,
        [
          #"{"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"_meta lacks io.modelcontextprotocol/clientCapabilities, an object"}}"#
        ]
      ),
      (
        #"{"jsonrpc":"2.0","id":8,"method":"server/discover"}"#,
        [
          #"{"jsonrpc":"2.0","id":8,"error":{"code":-32602,"message":"_meta lacks io.modelcontextprotocol/protocolVersion"}}"#
        ]
      ),
    ]
    for (line, answers) in conversation { #expect(client.texts(line) == answers) }
    // The era belongs to the request: the same client may fall back to a session.
    #expect(
      client.texts(#"{"jsonrpc":"2.0","id":9,"method":"ping"}"#) == [
        #"{"jsonrpc":"2.0","id":9,"result":{}}"#
      ])
  }

  @Test(
    "a line that is no message is refused, and says what is one",
    arguments: [
      (#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32600), ("{", -32700), ("1", -32600),
      (#"{"id":1,"method":"ping"}"#, -32600), (#"{"jsonrpc":"2.0","id":1}"#, -32600),
      (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600),
      (#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32600),
      (#"{"jsonrpc":"2.0","id":"\ud800","method":"ping"}"#, -32600),
      (#"{"jsonrpc":"2.0","id":1,"method":7}"#, -32600),
      (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#, -32602),
      (#"{"jsonrpc":"2.0","id":\#(String(repeating: "9", count: 401)),"method":"ping"}"#, -32600),
    ] as [(String, Int64)])
  func malformed(_ line: String, _ code: Int64) throws {
    let answer = try JSON.parse(try #require(client.send(line.utf8).first))
    #expect(answer["error"]?["code"]?.number?.int64 == code)
    #expect(answer["error"]?["message"]?.string?.isEmpty == false)
  }

  @Test(
    "every integer and every text is an id, and comes back",
    arguments: [
      (#""é""#, #""é""#), (#""a\"b\\""#, #""a\"b\\""#), (#""""#, #""""#),
      (#""\u00e9\/""#, #""é/""#),
      (#""\u0000\u007f""#, #""\u0000\u007f""#), (#""\ud83d\ude00""#, "\"\u{1F600}\""),
      ("123456789012345678901", "123456789012345678901"), ("-7", "-7"),
    ])
  func ids(_ written: String, _ echoed: String) {
    #expect(
      client.texts(#"{"jsonrpc":"2.0","id":\#(written),"method":"ping"}"#) == [
        #"{"jsonrpc":"2.0","id":\#(echoed),"result":{}}"#
      ])
    #expect(
      client.texts(#"{"jsonrpc":"2.0","id":\#(written),"method":"nothing","params":7}"#) == [
        #"{"jsonrpc":"2.0","id":\#(echoed),"error":{"code":-32602,"message":"the params are not an object"}}"#
      ])
  }

  @Test("a megabyte of nesting is refused")
  func nesting() throws {
    let answer = try JSON.parse(
      try #require(client.send(Array(repeating: 0x5B, count: 1_000_000)).first))
    #expect(answer["error"]?["code"] == -32700)
  }

  @Test("answers of a client, unknown notifications and blank lines are passed over")
  func ignored() {
    for line in [
      "", " \r", #"{"jsonrpc":"2.0","id":1,"result":{}}"#,
      #"{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}"#,
      #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":17}}"#,
      #"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#,
    ] {
      #expect(client.send(line.utf8) == [])
    }
  }

  @Test("nothing is sent for a request that was cancelled, and an id can be used again then")
  func cancellation() throws {
    var machine = AgentMachine(Answers(AgentClient.world([], folder)).catalogue)
    let line = Array(
      #"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"check","_meta":{"progressToken":"p"}}}"#
        .utf8)
    guard case .call(let first)? = machine.receive(line).first else { return #expect(Bool(false)) }
    #expect(
      machine.progress(of: first, 1, total: 2, "checking: 1 of 2").map {
        String(decoding: $0, as: UTF8.self)
      }
        == #"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":1,"total":2,"message":"checking: 1 of 2"}}"#
        + "\n")
    // The same id a second time is refused while the first is under way.
    guard case .send(let refused)? = machine.receive(line).first else {
      return #expect(Bool(false))
    }
    #expect(try JSON.parse(refused)["error"]?["code"]?.number?.int64 == -32600)
    let cancel = #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}"#
    guard case .cancel(first.serial)? = machine.receive(Array(cancel.utf8)).first else {
      return #expect(Bool(false))
    }
    guard case .call(let second)? = machine.receive(line).first else { return #expect(Bool(false)) }
    #expect(machine.answer(first, .success([])) == nil)
    #expect(machine.progress(of: first, 2, total: 2, "") == nil)
    #expect(machine.answer(second, .success([])) != nil)
  }

  /// Every request of the recorded clients gets the kind of answer that the recorded server gave.
  @Test("the transcripts of a real client are answered", .enabled(if: Corpora.isPresent))
  func transcripts() throws {
    for era in ["2025-11-25", "2026-07-28", "fallback"] {
      let url = Corpora.folder.appending(path: "mcp-transcripts/mcp-transcript-\(era).jsonl")
      var count = 0
      for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n") {
        let entry = try JSON.parse(String(line))
        guard entry["from"]?.string == "client", let raw = entry["raw"]?.string else { continue }
        let message = try JSON.parse(raw)
        let answers = try client.send(raw.utf8).map { try JSON.parse($0) }
        guard let id = message["id"] else {
          #expect(answers == [])
          continue
        }
        count += 1
        let answer = try #require(answers.first)
        #expect(answer["id"] == id)
        let isStateless = raw.contains("2026-07-28")
        if let result = answer["result"] {
          #expect((result["resultType"]?.string == "complete") == isStateless, "\(raw)")
        }
        switch message["method"]?.string {
        case "initialize", "server/discover", "tools/list", "resources/list",
          "resources/templates/list",
          "prompts/list":
          #expect(answer["result"] != nil, "\(raw)")
        case "ping": #expect((answer["error"]?["code"]?.number?.int64 == -32601) == isStateless)
        default: break
        }
      }
      #expect(count >= 4)
    }
  }
}
