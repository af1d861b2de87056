//! Translated addresses: the pages that were met, and who finds the others.

use std::fmt;
use std::sync::Arc;

use cocrypt_isa::{Frontend, Page, Purpose, Space};

/// Pages that are kept, by their addresses; a power of two.
const KEPT: usize = 256;
/// The smallest page, as a power of two.
const SMALLEST: u32 = 10;

/// The address translation.
#[derive(Clone)]
pub struct Translation {
    frontend: Arc<dyn Frontend>,
    space: Space,
    kept: Box<[Option<Page>]>,
}

impl fmt::Debug for Translation {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.debug_struct("Translation").field("space", &self.space).finish_non_exhaustive()
    }
}

impl Translation {
    /// Translates as a front end says.
    #[must_use]
    pub fn new(frontend: Arc<dyn Frontend>, space: Space) -> Self {
        Self { frontend, space, kept: vec![None; KEPT].into() }
    }

    /// The note for the front end.
    #[must_use]
    pub const fn space(&self) -> &Space {
        &self.space
    }

    /// The page of an address.
    ///
    /// # Errors
    /// The core's fault status, where there is none.
    pub fn page(&self, address: u32, memory: &dyn Fn(u32) -> Option<u32>) -> Result<Page, u32> {
        let known = self.kept[set_index(address)].filter(|page| page.holds(address));
        known.map_or_else(|| self.frontend.page(&self.space, address, memory), Ok)
    }

    /// The physical address of an access that is made for this purpose.
    ///
    /// # Errors
    /// The core's fault status, where the program has no right to it.
    pub fn reach(
        &self,
        address: u32,
        purpose: Purpose,
        memory: &dyn Fn(u32) -> Option<u32>,
    ) -> Result<(u32, Page), u32> {
        let page = self.page(address, memory)?;
        page.refusal(purpose).map_or(Ok((page.leads(address), page)), Err)
    }

    /// Keeps the page of an address.
    pub fn keep(&mut self, address: u32, page: Page) {
        self.kept[set_index(address)] = Some(page);
    }
}

const fn set_index(address: u32) -> usize {
    (address >> SMALLEST) as usize % KEPT
}
