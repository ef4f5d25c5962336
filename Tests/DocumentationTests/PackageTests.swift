import Foundation
import TestSupport
import Testing

/// What an app fetches and builds that depends on the package.
@Suite struct PackageTests {
  @Test func `an app is given no other package than GRDB, unless it asks for the programs`() throws {
    let manifest = try String(contentsOf: GoldenFile.root.appending(path: "Package.swift"), encoding: .utf8)
    let products = manifest.split(separator: ".product(").dropFirst().map { $0.prefix { $0 != ")" } }
    #expect(products.count > 4)
    for product in products where !product.contains(#"package: "GRDB.swift""#) {
      #expect(product.contains("condition: .when(traits: programs"), "\(product)")
    }
  }
}
