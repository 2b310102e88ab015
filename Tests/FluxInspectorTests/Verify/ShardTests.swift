import FluxCorpus
import FluxInspector
import Testing

@Suite struct ShardTests {
  @Test("a shard is one of several", arguments: ["1/1", "2/8", "8/8"])
  func read(text: String) throws {
    let shard = try #require(Shard(text))
    #expect("\(shard.index)/\(shard.count)" == text)
  }

  @Test(
    "what is no shard is refused",
    arguments: ["", "1", "0/2", "3/2", "1/0", "-1/2", "1/2/3", "a/b", "1/", "/2"])
  func refuse(text: String) {
    #expect(Shard(text) == nil)
  }

  @Test("the shards of a corpus have every log once, however it is named, and are even")
  func deal() throws {
    let paths = (1...11).map { "logs/\($0).jsonl" }
    let shards = try (1...4).map { try #require(Shard("\($0)/4")).select(from: paths) }
    let shuffled = Array(paths.reversed()) + paths.prefix(5)
    #expect(try (1...4).map { try #require(Shard("\($0)/4")).select(from: shuffled) } == shards)
    #expect(shards.flatMap(\.self).sorted() == paths.sorted())
    #expect(shards.map(\.count) == [3, 3, 3, 2])
    #expect(shards[0] == ["logs/1.jsonl", "logs/3.jsonl", "logs/7.jsonl"])
  }

  @Test("two names that only look the same are two logs")
  func accents() throws {
    #expect(try #require(Shard("1/1")).select(from: ["\u{E9}", "e\u{301}", "\u{E9}"]).count == 2)
  }
}
