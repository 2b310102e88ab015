import Foundation
import Testing

@testable import FluxJSON

/// Decoding the tokens of redacted values.
@Suite struct TokenDecodingTests {
  private static let token = "<redacted 5f0c2a9e71b3d844>"

  private struct Card: Codable, Equatable {
    var number: Int
    var holder: String
    var limit: Double?
    var tags: [String]
    var next: [String: Int]
  }

  private struct Account: Codable, Equatable {
    var id: UUID
    var balance: Decimal
    var rate: Float
    var since: Date
    var photo: Data
    var site: URL
    var isOpen: Bool
    var age: Int?
    var name: String?
    var card: Card
    var cards: [Card]
  }

  private enum Level: String, Codable { case low, high }
  private enum Shape: Codable { case circle(radius: Int) }

  private func decode<T: Decodable>(
    _ type: T.Type, _ text: String, accepts: Bool = true
  ) throws -> T {
    var decoder = LogDecoder()
    decoder.acceptsTokens = accepts
    return try decoder.decode(type, from: try JSON.parse(text))
  }

  @Test("a token is what the type asks for, member by member")
  func substitutes() throws {
    let card = Card(number: 0, holder: Self.token, limit: nil, tags: [], next: [:])
    let names = [
      "id", "balance", "rate", "since", "photo", "site", "isOpen", "age", "name", "card",
    ]
    let token = "\"\(Self.token)\""
    let members = names.map { "\"\($0)\":\(token)" } + ["\"cards\":[\(token)]"]
    let account = try decode(Account.self, "{\(members.joined(separator: ","))}")
    let id = try #require(UUID(uuidString: "00000000-0000-4000-5F0C-2A9E71B3D844"))
    let site = try #require(URL(string: "redacted:5f0c2a9e71b3d844"))
    #expect(
      account
        == Account(
          id: id, balance: 0, rate: 0, since: Date(timeIntervalSinceReferenceDate: 0),
          photo: Data(),
          site: site, isOpen: false, age: 0, name: Self.token, card: card, cards: [card]))
  }

  @Test("an enum refuses a token, and so does every type if tokens are not accepted")
  func refuses() throws {
    let text = "\"\(Self.token)\""
    #expect(throws: DecodingError.self) { try decode(Level.self, text) }
    #expect(throws: DecodingError.self) { try decode(Shape.self, text) }
    #expect(throws: DecodingError.self) { try decode(Int.self, text, accepts: false) }
    #expect(throws: DecodingError.self) { try decode(Card.self, text, accepts: false) }
    for text in [#""<redacted 5f0c2a9e71b3d84>""#, #""<redacted 5F0C2A9E71B3D844>""#, #""x""#] {
      #expect(throws: DecodingError.self) { try decode(Int.self, text) }
    }
  }
}
