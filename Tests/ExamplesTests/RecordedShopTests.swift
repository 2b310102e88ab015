import FluxCore
import FluxLog
import FluxRecorder
import Foundation
import ShopExample
import TestFixtures
import Testing

@Suite struct RecordedShopTests {
  /// The lines of a log, without sums, times, source lines and what differs between platforms.
  private func lines(_ url: URL) throws -> [String] {
    try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map { line in
      String(line)
        .replacing(/,"sum":"[0-9a-f]{8}"}$/, with: "}")
        .replacing(/"t":[0-9.]+,/, with: "")
        .replacing(/,"at":"[A-Za-z]+\/[A-Za-z]+\.swift:[0-9]+"/, with: "")
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
      lines == [
        #"{"flux":"1.1","seed":"0000000000000007","first":1,"effects":true,"stores":{"catalogue":{"type":"CatalogueStore.State","initial":{"isLoading":false,"products":[]}},"session":{"type":"SessionStore.State","initial":{}},"cart":{"type":"CartStore.State","initial":{"lines":[],"sold":{},"total":0}},"checkout":{"type":"Checkout","feature":true}}}"#,
        #"{"n":1,"action":{"type":"catalogue/load"},"effects":{"catalogue":["load"]},"states":{"catalogue":{"isLoading":true,"products":[]}}}"#,
        #"{"n":2,"action":{"type":"catalogue/loaded","payload":{"products":[{"id":"cup","name":"Cup","price":1250,"stock":2},{"id":"tea","name":"Tea","price":480,"stock":10}]}},"cause":1,"effect":"load","states":{"catalogue":{"isLoading":false,"products":[{"id":"cup","name":"Cup","price":1250,"stock":2},{"id":"tea","name":"Tea","price":480,"stock":10}]}}}"#,
        #"{"n":3,"action":{"type":"session/signIn","payload":{"password":"open sesame","user":"ada"}},"effects":{"session":["signIn"]},"states":{"session":{"user":"ada"}}}"#,
        #"{"n":4,"action":{"type":"session/signedIn","payload":{"token":"token of ada"}},"cause":3,"effect":"signIn","states":{"session":{"token":"token of ada","user":"ada"}}}"#,
        #"{"n":5,"action":{"type":"cart/add","payload":{"product":"cup"}},"states":{"cart":{"lines":[{"count":1,"id":"cup"}],"sold":{},"total":1250}}}"#,
        #"{"n":6,"action":{"type":"checkout/begin"},"states":{"checkout":{"reviewing":{"total":1250}}}}"#,
        #"{"n":7,"action":{"type":"checkout/pay"},"effects":{"checkout":["pay"]},"states":{"checkout":{"paying":{"attempt":1,"total":1250}}}}"#,
        #"{"n":8,"action":{"type":"checkout/failed","payload":{"reason":"the bank refuses 1250"}},"cause":7,"effect":"pay","states":{"checkout":{"failed":{"attempt":1,"reason":"the bank refuses 1250","total":1250}}}}"#,
        #"{"n":9,"action":{"type":"cart/remove","payload":{"product":"tea"}},"rejected":{"reason":"refused","message":"Tea is not in the cart","store":"cart"}}"#,
        #"{"n":10,"action":{"type":"session/signOut"},"effects":{"session":["-signIn"],"checkout":["-pay"]},"states":{"session":{},"cart":{"lines":[],"sold":{},"total":0}},"removed":["checkout"]}"#,
        #"{"n":11,"action":{"type":"session/signOut"},"effects":{"session":["-signIn"],"checkout":["-pay"]}}"#,
        #"{"end":{"steps":11,"ok":true}}"#,
      ])
    let log = try LogFile.open(url.path)
    #expect(try Timeline(log).check() == [])
  }
}
