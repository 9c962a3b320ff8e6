//! Orders, transfers and bookings that undo what they did.

use serde::{Deserialize, Serialize};

use super::durable::{Result, activities, attempt, failure};
use super::world::{self, Script, effect};

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Transfer {
    from: String,
    to: String,
    cents: u64,
}

activities! {
    fn withdraw(transfer: &Transfer) -> Result<()> {
        attempt("withdraw")?;
        effect(format!("withdraw {} from {}", transfer.cents, transfer.from));
        Ok(())
    }
    fn undo_withdraw(transfer: &Transfer) -> Result<()> {
        effect(format!("return {} to {}", transfer.cents, transfer.from));
        attempt("undo_withdraw")
    }
    fn deposit(transfer: &Transfer) -> Result<()> {
        attempt("deposit")?;
        effect(format!("deposit {} to {}", transfer.cents, transfer.to));
        Ok(())
    }
    fn undo_deposit(transfer: &Transfer) -> Result<()> {
        effect(format!("take {} from {}", transfer.cents, transfer.to));
        attempt("undo_deposit")
    }
    fn confirm(transfer: &Transfer) -> Result<()> {
        attempt("confirm")?;
        effect(format!("confirm {}", transfer.to));
        Ok(())
    }
}

/// Temporal, samples-go, `saga`: transfers money.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn transfer_money(transfer: Transfer) -> Result<()> {
    #[step]
    withdraw(&transfer).await?;
    #[step]
    let deposited = deposit(&transfer).await;
    match deposited {
        Ok(()) => {}
        Err(error) => {
            #[step]
            #[state(DepositFailed)]
            undo_withdraw(&transfer).await?;
            return Err(error);
        }
    }
    #[step]
    let confirmed = confirm(&transfer).await;
    match confirmed {
        Ok(()) => Ok(()),
        Err(error) => {
            #[step]
            undo_deposit(&transfer).await?;
            #[step]
            #[state(ConfirmFailed)]
            undo_withdraw(&transfer).await?;
            Err(error)
        }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct OpenAccount {
    account_id: String,
    address: String,
    email: String,
    iban: String,
}

#[derive(Debug, Serialize, Deserialize)]
enum Undo {
    Addresses,
    Client,
    BankAccounts,
}

activities! {
    fn create_account(id: &str) -> Result<()> {
        effect(format!("create {id}"));
        attempt("create_account")
    }
    fn add_address(id: &str, address: &str) -> Result<()> {
        effect(format!("address of {id}: {address}"));
        attempt("add_address")
    }
    fn add_client(id: &str, email: &str) -> Result<()> {
        effect(format!("client of {id}: {email}"));
        attempt("add_client")
    }
    fn add_bank_account(id: &str, iban: &str) -> Result<()> {
        effect(format!("bank account of {id}: {iban}"));
        attempt("add_bank_account")
    }
    fn revert(id: &str, undo: &Undo) -> Result<()> {
        effect(format!("revert {undo:?} of {id}"));
        attempt("revert")
    }
}

/// Temporal, samples-typescript, `saga`: opens an account.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn open_account(request: OpenAccount) -> Result<()> {
    #[step]
    create_account(&request.account_id).await?;

    let mut undo = Vec::new();
    let error = 'failed: {
        #[step]
        let added: Result<()> = add_address(&request.account_id, &request.address).await;
        if let Err(error) = added {
            break 'failed error;
        }
        undo.push(Undo::Addresses);
        #[step]
        let added: Result<()> = add_client(&request.account_id, &request.email).await;
        if let Err(error) = added {
            break 'failed error;
        }
        undo.push(Undo::Client);
        #[step]
        let added: Result<()> = add_bank_account(&request.account_id, &request.iban).await;
        match added {
            Ok(()) => return Ok(()),
            Err(error) => error,
        }
    };
    while let Some(undone) = undo.pop() {
        #[step]
        let reverted: Result<()> = revert(&request.account_id, &undone).await;
        if let Err(error) = reverted {
            println!("cannot revert {undone:?}: {error:?}");
        }
    }
    Err(error)
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Booking {
    customer: String,
    flight: Flight,
    car: Car,
    hotel: Hotel,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Flight {
    number: String,
    passenger: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Car {
    place: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Hotel {
    nights: u32,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
enum Part {
    Flight,
    Car,
    Hotel,
}

activities! {
    fn book_flight(customer: &str, flight: &Flight) -> Result<()> {
        effect(format!("flight {} for {customer}, {}", flight.number, flight.passenger));
        attempt("book_flight")
    }
    fn book_car(customer: &str, car: &Car) -> Result<()> {
        effect(format!("car at {} for {customer}", car.place));
        attempt("book_car")
    }
    fn book_hotel(customer: &str, hotel: &Hotel) -> Result<()> {
        effect(format!("{} nights for {customer}", hotel.nights));
        attempt("book_hotel")
    }
    fn cancel(customer: &str, part: Part) {
        effect(format!("cancel {part:?} of {customer}"));
    }
}

/// Restate, examples, `sagas`: books a trip.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn book_trip(booking: Booking) -> Result<()> {
    let Booking {
        customer,
        flight,
        car,
        hotel,
    } = booking;
    let mut booked = Vec::new();
    let error = 'failed: {
        booked.push(Part::Flight);
        #[step]
        let flight: Result<()> = book_flight(&customer, &flight).await;
        if let Err(error) = flight {
            break 'failed error;
        }
        booked.push(Part::Car);
        #[step]
        let car: Result<()> = book_car(&customer, &car).await;
        if let Err(error) = car {
            break 'failed error;
        }
        booked.push(Part::Hotel);
        #[step]
        let booked: Result<()> = book_hotel(&customer, &hotel).await;
        match booked {
            Ok(()) => return Ok(()),
            Err(error) => error,
        }
    };
    while let Some(part) = booked.pop() {
        #[step]
        cancel(&customer, part).await;
    }
    Err(error)
}

fn transfer() -> TransferMoney {
    let [from, to] = ["Ada", "Bob"].map(String::from);
    transfer_money(Transfer { from, to, cents: 5 })
}

#[test]
fn transfer_is_undone_in_reverse_order() {
    let (output, effects) = world::run(&Script::new(), transfer);
    assert_eq!(output, Ok(()));
    assert_eq!(
        effects,
        ["withdraw 5 from Ada", "deposit 5 to Bob", "confirm Bob"]
    );

    let (output, effects) = world::run(&Script::new().failing("confirm"), transfer);
    assert_eq!(output, Err(failure("confirm failed")));
    assert_eq!(effects[2..], ["take 5 from Bob", "return 5 to Ada"]);

    let (output, effects) = world::run(&Script::new().failing("deposit"), transfer);
    assert_eq!(output, Err(failure("deposit failed")));
    assert_eq!(effects[1..], ["return 5 to Ada"]);
}

#[test]
fn failed_account_is_reverted() {
    let make = || {
        let [account_id, address, email, iban] = ["7", "street", "a@b", "DE1"].map(String::from);
        open_account(OpenAccount {
            account_id,
            address,
            email,
            iban,
        })
    };
    let (output, effects) = world::run(&Script::new(), make);
    assert_eq!((output, effects.len()), (Ok(()), 4));
    let script = Script::new().failing("add_bank_account").failing("revert");
    let (output, effects) = world::run(&script, make);
    assert_eq!(output, Err(failure("add_bank_account failed")));
    assert_eq!(
        effects[4..],
        ["revert Client of 7", "revert Addresses of 7"]
    );
}

#[test]
fn failed_booking_is_cancelled() {
    let make = || {
        let [customer, number, passenger, place] = ["Ada", "V1", "A", "X"].map(String::from);
        book_trip(Booking {
            customer,
            flight: Flight { number, passenger },
            car: Car { place },
            hotel: Hotel { nights: 2 },
        })
    };
    assert_eq!(world::run(&Script::new(), make).0, Ok(()));
    let (output, effects) = world::run(&Script::new().failing("book_hotel"), make);
    assert_eq!(output, Err(failure("book_hotel failed")));
    let cancelled = [
        "cancel Hotel of Ada",
        "cancel Car of Ada",
        "cancel Flight of Ada",
    ];
    assert_eq!(effects[3..], cancelled);
}
