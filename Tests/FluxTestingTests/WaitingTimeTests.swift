import Testing

@testable import FluxRecordings

@Suite struct WaitingTimeTests {
  @Test("a pause counts as long as it was, but no longer than one is expected to take")
  func pauses() {
    var time = WaitingTime(left: .milliseconds(100))
    time.count(.milliseconds(20))
    #expect(time.left == .milliseconds(80) && !time.isOver)
    // Other tests had all threads for a minute.
    time.count(.seconds(60))
    #expect(time.left == .milliseconds(30) && !time.isOver)
    time.count(.milliseconds(30))
    #expect(time.isOver)
  }

  @Test("waiting ends, because each pause counts")
  func ends() async {
    var time = WaitingTime(left: .milliseconds(1))
    while !time.isOver { await time.pause() }
    #expect(time.left <= .zero)
  }
}
