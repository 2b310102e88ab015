import FluxJSON
import TestFixtures
import Testing

@testable import FluxPage

@Suite struct PageRequestReaderTests {
  /// The status of the answer to bytes that are refused; nil for a request, and for one that is not complete.
  private static func refusal(_ text: String) -> Int? {
    var reader = PageRequestReader()
    reader.append(Array(text.utf8))
    if case .refusal(let response) = reader.next() { return response.status }
    return nil
  }

  @Test("a request comes out whole, however the stream is cut, and the next one after it")
  func pieces() throws {
    let bytes = Array(
      """
      \r
      POST /data/info?x=1 HTTP/1.1\r
      Host: 127.0.0.1:8000\r
      origin:http://127.0.0.1:8000 \r
      X-Flux-Token: 5e\r
      X-Flux-Session:\ttab\r
      Accept: */*\r
      Accept-Encoding: gzip, br\r
      Expect: 100-continue\r
      Content-Length: 2\r
      \r
      {}GET / HTTP/1.1
      Host: localhost:8000
      Connection: keep-alive, Close


      """.utf8)
    var random = SeededGenerator()
    for _ in 0..<100 {
      var reader = PageRequestReader()
      var rest = bytes[...]
      var heads: [PageHTTPHead] = []
      while true {
        if case .head(let head) = reader.next() {
          heads.append(head)
          var body = reader.takeBody(head.bodyLength)
          while body == nil {
            let byte = rest.popFirst()
            reader.append([try #require(byte)])
            body = reader.takeBody(head.bodyLength)
          }
          heads[heads.count - 1].request.body = body ?? []
        } else {
          guard !rest.isEmpty else { break }
          let count = Int.random(in: 1...40, using: &random)
          reader.append(Array(rest.prefix(count)))
          rest = rest.dropFirst(count)
        }
      }
      try #require(heads.count == 2)
      let (first, second) = (heads[0], heads[1])
      #expect(first.request.method == "POST")
      #expect(first.request.path == "/data/info")
      #expect(first.request.host == "127.0.0.1:8000")
      #expect(first.request.origin == "http://127.0.0.1:8000")
      #expect(first.request.token == "5e")
      #expect(first.request.session == "tab")
      #expect(first.request.encodings == "gzip, br")
      #expect(first.request.body == Array("{}".utf8))
      #expect(first.awaitsPermission && !first.isLast)
      #expect(second.request.method == "GET")
      #expect(second.request.path == "/")
      #expect(second.request.host == "localhost:8000")
      #expect(second.bodyLength == 0)
      #expect(second.isLast && !second.awaitsPermission)
    }
  }

  @Test(
    "what is no request is refused",
    arguments: [
      ("GET / HTTP/1.0\r\n\r\n", 400), ("GET  / HTTP/1.1\r\n\r\n", 400), ("GET /\r\n\r\n", 400),
      ("GET http://127.0.0.1/ HTTP/1.1\r\n\r\n", 400), ("hello\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400), ("GET / HTTP/1.1\r\n: a\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\nContent-Length: +1\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", 411),
      ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n", 411),
      ("POST / HTTP/1.1\r\nHost: a\r\n\r\n{}", 411),
      ("GET / HTTP/1.1\r\nHost: a\u{0}b\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nX-Other: a\rb\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nX-Other: \u{7F}\r\n\r\n", 400),
    ])
  func refusals(_ text: String, _ status: Int) {
    #expect(Self.refusal(text) == status, "\(text)")
  }

  @Test("a head has a limit, whether it ends or not")
  func longHead() {
    let limit = PageRequestReader.longestHead
    let start = "GET / HTTP/1.1\r\nX-Long: "
    let long = String(repeating: "x", count: limit - start.utf8.count - 4)
    #expect(Self.refusal(start + long + "\r\n\r\n") == nil)
    #expect(Self.refusal(start + long + "x\r\n\r\n") == 431)
    #expect(Self.refusal(String(repeating: "x", count: limit)) == nil)
    #expect(Self.refusal(String(repeating: "x", count: limit + 1)) == 431)
    #expect(Self.refusal(String(repeating: "\r\n", count: limit)) == 431)
  }

  @Test("no bytes crash it")
  func fuzz() {
    var random = SeededGenerator()
    let pieces =
      [
        "GET / HTTP/1.1", "POST /data/info HTTP/1.1", "Host:", "Content-Length: ", "5", "\r\n",
        "\n", "\r",
        " ", ":", "{}", "é",
      ].map { Array($0.utf8) } + [[0xFF], [0]]
    for _ in 0..<5000 {
      var reader = PageRequestReader()
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        reader.append(pieces[Int.random(in: 0..<pieces.count, using: &random)])
        if case .head(let head) = reader.next() { _ = reader.takeBody(head.bodyLength) }
      }
    }
  }
}
