public import FluxJSON

extension Finding {
  /// The finding as JSON: `{"line", "step"?, "byte", "kind", "message"}`.
  public var json: JSON {
    JSON(writing: { writer in
      writer.beginObject()
      writer.name("line")
      writer.int(line)
      if let step {
        writer.name("step")
        writer.uint(step)
      }
      writer.name("byte")
      writer.int(byte)
      writer.name("kind")
      writer.string(problem.kind)
      writer.name("message")
      writer.string(problem.message)
      writer.endObject()
    })
  }
}
