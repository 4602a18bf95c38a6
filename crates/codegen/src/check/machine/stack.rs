//! The stack pointer, and what it leaves. **Trusted.**

use super::{Content, Fault, MOST_STACK, Machine, Meaning};

impl<I: Meaning> Machine<'_, I> {
    /// Sets a general register. The stack pointer stays a pointer into the function's own stack.
    ///
    /// # Errors
    /// It would not.
    pub fn set_general(&mut self, r: usize, content: Content) -> Result<(), Fault> {
        self.registers[r] = content;
        if r != I::CONVENTION.stack_pointer {
            return Ok(());
        }
        I::stack_pointer_set(&mut self.own);
        let Content::Stack(top) = content else { return Err(Fault::Stack) };
        if top % I::CONVENTION.alignment != 0 || !(-MOST_STACK..=I::CONVENTION.pushed()).contains(&top) {
            return Err(Fault::Stack);
        }
        self.lowest = self.lowest.min(top);
        // What is below the red zone may be overwritten by a signal at any time.
        self.stack = self.stack.split_off(&(top - I::CONVENTION.red_zone));
        Ok(())
    }

    /// Where the stack pointer is, from where it was at entry.
    ///
    /// # Errors
    /// In an aligned part of the stack, at a place that has no number.
    pub fn top(&self) -> Result<i64, Fault> {
        match self.registers[I::CONVENTION.stack_pointer] {
            Content::Stack(top) => Ok(top),
            _ => Err(Fault::Stack),
        }
    }

    /// Puts a word on the stack.
    ///
    /// # Errors
    /// The stack goes too far.
    pub fn push(&mut self, content: Content) -> Result<(), Fault> {
        let top = self.top()? - 8;
        self.set_general(I::CONVENTION.stack_pointer, Content::Stack(top))?;
        self.store_slot(top, content)
    }

    /// Takes it.
    ///
    /// # Errors
    /// There is none of the function's.
    pub fn pop(&mut self) -> Result<Content, Fault> {
        let top = self.top()?;
        let content = self.load_slot(top)?;
        self.set_general(I::CONVENTION.stack_pointer, Content::Stack(top + 8))?;
        Ok(content)
    }

    /// Makes the stack pointer point to an aligned part of the stack, the how many-th it is: from here to what the
    /// pointer has left, or to the words that were pushed before. Those words stay what they are; how many bytes lie
    /// between is given.
    ///
    /// # Errors
    /// There is such a part already.
    pub fn open_frame(&mut self, number: u64) -> Result<i64, Fault> {
        let top = self.top()?;
        self.stack = self.stack.split_off(&top);
        self.under = top;
        self.registers[I::CONVENTION.stack_pointer] = Content::Frame(number, 0);
        Ok(self.stack.keys().next().map_or(0, |lowest| lowest.min(&0) - top))
    }
}
