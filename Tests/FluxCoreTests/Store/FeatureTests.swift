import FluxCore
import Testing

@Suite struct FeatureTests {
  @Test(
    "transitions outside of the table are impossible, and the message names action and phase",
    arguments: [
      ([], Door.Action.close, "door/close is impossible in absent"),
      ([.build], .build, "door/build is impossible in closed"),
      ([.build, .open(2)], .build, "door/build is impossible in open"),
      ([.build, .demolish], .open(1), "door/open is impossible in absent"),
    ] as [([Door.Action], Door.Action, String)])
  func impossible(_ before: [Door.Action], _ action: Door.Action, _ message: String) {
    let dispatcher = Dispatcher([Door()])
    for action in before { dispatcher.dispatch(action) }
    let rejection = dispatcher.dispatch(action).rejection
    #expect(rejection?.reason == .impossible)
    #expect(rejection?.message == message)
    #expect(rejection?.description == "door: \(message)")
  }

  @Test("changes tell the four mutations apart")
  func mutations() {
    let dispatcher = Dispatcher([Door()])
    let seen = Recorded<Mutation?>()
    let receipt = dispatcher.store(Door.self).onChange { seen.append($0.mutation()) }
    for action in [Door.Action.build, .open(1), .open(2), .open(2), .close, .demolish] {
      dispatcher.dispatch(action)
    }
    #expect(
      seen.all == [
        .initialization, .transition, .actualization, .transition, .deinitialization,
      ])
    #expect(Mutation(from: Int?.none, to: nil) == nil)
    withExtendedLifetime(receipt) {}
  }
}
