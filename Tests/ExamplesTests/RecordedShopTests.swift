import FluxCore
import FluxLog
import FluxRecorder
import Foundation
import ShopExample
import TestFixtures
import Testing

@Suite struct RecordedShopTests {
  /// The lines of a log, without sums, times and what differs between platforms.
  private func lines(_ url: URL) throws -> [String] {
    try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map { line in
      String(line)
        .replacing(/,"sum":"[0-9a-f]{8}"}$/, with: "}")
        .replacing(/"t":[0-9.]+,/, with: "")
        .replacing(/"log":"[0-9a-f-]+","created":"[^"]+",/, with: "")
        .replacing(/"platform":{[^}]+},/, with: "")
    }
  }

  @Test("each line of a recorded purchase lists the effects that its step asked for")
  func purchase() async throws {
    let folder = try TemporaryFolder()
    let url = folder.url("shop.jsonl")
    let shop = Dispatcher(makeShop(service: ShopTests.FakeService(refusals: 1)), seed: 7)
    let recorder = Recorder(to: url)
    shop.use(recorder)
    await shop.run(CatalogueAction.load)
    await shop.run(SessionAction.signIn(user: "ada", password: "open sesame"))
    shop.dispatch(CartAction.add(product: "cup"))
    shop.dispatch(Checkout.Action.begin)
    await shop.run(Checkout.Action.pay)
    shop.dispatch(CartAction.remove(product: "tea"))
    shop.dispatch(SessionAction.signOut)
    shop.dispatch(SessionAction.signOut)
    try recorder.close()

    let lines = try lines(url)
    #expect(
      lines == [])
    let log = try LogFile.open(url.path)
    #expect(try Timeline(log).check() == [])
  }
}
