import FluxSystem
import TestFixtures
import Testing

@Suite struct AccessTokenTests {
  @Test("a token has two digits for each byte, and each one is another")
  func drawn() {
    let tokens = (0..<100).map { _ in AccessToken(byteCount: 16).text }
    #expect(Set(tokens).count == 100)
    for token in tokens { #expect(token.wholeMatch(of: /[0-9a-f]{32}/) != nil, "\(token)") }
  }

  @Test("only the same text is the token, whichever bytes differ")
  func comparison() {
    var random = SeededGenerator()
    let digits = Array("0123456789abcdef")
    func draw() -> String {
      String((0..<32).map { _ in digits[Int.random(in: 0..<16, using: &random)] })
    }
    for _ in 0..<5000 {
      let token = AccessToken(draw())
      #expect(token.isSame(as: token.text))
      let other = draw()
      #expect(!token.isSame(as: other), "\(token.text) \(other)")
      // One digit differs.
      var near = Array(token.text)
      let place = Int.random(in: 0..<32, using: &random)
      near[place] = near[place] == "0" ? "1" : "0"
      #expect(!token.isSame(as: String(near)), "\(token.text) \(String(near))")
    }
    #expect(!AccessToken("00").isSame(as: ""))
    #expect(!AccessToken("00").isSame(as: "000"))
  }
}
