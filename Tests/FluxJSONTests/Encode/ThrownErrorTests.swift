import FluxJSON
import Testing

/// Errors that the app's types throw while they are encoded.
@Suite struct ThrownErrorTests {
  private struct Refusal: Error {}

  private struct Even: Encodable {
    let number: Int

    func encode(to encoder: any Encoder) throws {
      guard number % 2 == 0 else { throw Refusal() }
      var container = encoder.singleValueContainer()
      try container.encode(number)
    }
  }

  private struct Cart: Encodable {
    var name = "cart"
    var counts: [String: [Even]]
  }

  /// Encodes an array, and leaves out the member if it fails.
  private struct Lenient: Encodable {
    var first: [Even]
    var second: Even

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      do { try container.encode(first, forKey: .first) } catch {}
      try container.encode(second, forKey: .second)
    }

    enum CodingKeys: CodingKey { case first, second }
  }

  private func path(_ value: some Encodable, remembering memory: StateMemory? = nil) -> [String]? {
    do {
      _ = try LogEncoder().bytes(of: value, remembering: memory)
    } catch EncodingError.invalidValue(let value, let context)
      where value is Even && context.underlyingError is Refusal
    {
      return context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
    } catch {
      Issue.record(error)
    }
    return nil
  }

  @Test("An error has the path of the innermost value that threw it")
  func paths() {
    let odd = Even(number: 1)
    let even = Even(number: 2)
    #expect(path(Cart(counts: ["a": [even], "b": [even, odd]])) == ["counts", "b", "1"])
    #expect(path([even, odd]) == ["1"])
    #expect(path([even]) == nil)
  }

  @Test("An element has its place, too, if the elements before it are remembered")
  func remembered() {
    let memory = StateMemory()
    var cart = Cart(counts: ["a": (0..<200).map { Even(number: $0 * 2) }])
    for place in 0..<3 {
      cart.counts["a"]?[place] = Even(number: 1_000)
      #expect(path(cart, remembering: memory) == nil)
    }
    cart.counts["a"]?[150] = Even(number: 1)
    #expect(path(cart, remembering: memory) == ["counts", "a", "150"])
  }

  @Test("An error that was caught on its way does not give its path to a later one")
  func caught() {
    let odd = Even(number: 1)
    let even = Even(number: 2)
    #expect(path([Lenient(first: [odd], second: even)]) == nil)
    #expect(path([Lenient(first: [odd], second: odd)]) == ["0", "second"])
    #expect(
      path([Lenient(first: [odd], second: even), Lenient(first: [], second: odd)]) == [
        "1", "second",
      ])
  }

  @Test("The error of the outermost value is thrown as it is")
  func outermost() {
    #expect(throws: Refusal.self) { try LogEncoder().encode(Even(number: 1)) }
  }
}
