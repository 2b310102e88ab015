import FluxLog

/// Messages of JSON-RPC 2.0 on their way out, each a line.
enum RPCLine {
  static func request(
    _ id: UInt64, _ method: HostProtocol.Method, _ params: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    line { writer in
      writer.member("id", id)
      writer.member("method", method.rawValue)
      writer.name("params")
      params(&writer)
    }
  }

  static func notification(
    _ method: HostProtocol.Notification, _ params: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    line { writer in
      writer.member("method", method.rawValue)
      writer.name("params")
      params(&writer)
    }
  }

  static func result<Failure>(
    _ id: JSON, _ result: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) -> [UInt8] {
    try line { (writer) throws(Failure) in
      writer.member("id", id)
      writer.name("result")
      try result(&writer)
    }
  }

  static func failure(_ id: JSON, _ error: RPCError) -> [UInt8] {
    line { writer in
      writer.member("id", id)
      writer.name("error")
      error.write(to: &writer)
    }
  }

  private static func line<Failure>(
    _ members: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("jsonrpc", "2.0")
    try members(&writer)
    writer.endObject()
    var bytes = writer.bytes
    // Values go out as they came in, and may have been laid out over several lines. Inside of strings
    // there are no line ends, so each is a blank between two tokens.
    for index in bytes.indices where bytes[index] == UInt8(ascii: "\n") {
      bytes[index] = UInt8(ascii: " ")
    }
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }
}
