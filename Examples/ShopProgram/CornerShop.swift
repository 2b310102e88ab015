import ShopExample

/// A shop with one customer, whose bank refuses the first payment.
actor CornerShop: ShopService {
  struct Refusal: Error, CustomStringConvertible {
    let description: String
  }

  private var payments = 0

  func products() -> [Product] {
    [
      Product(id: "tea", name: "Tea", price: 480, stock: 10),
      Product(id: "cup", name: "Cup", price: 1_250, stock: 2),
      Product(id: "pot", name: "Pot", price: 3_900, stock: 1),
    ]
  }

  func signIn(user: String, password: String) throws -> String {
    guard user == "ada", password == "open-sesame" else {
      throw Refusal(description: "\(user) is not known here by that password")
    }
    return "token-4f1d8a"
  }

  func pay(_ amount: Int, token: String) throws -> String {
    payments += 1
    guard payments > 1 else { throw Refusal(description: "the bank does not answer") }
    return "receipt-\(payments)"
  }
}
